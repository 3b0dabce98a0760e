def report(*a):
    return []
