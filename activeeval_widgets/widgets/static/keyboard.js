// Which keys act, and when they must not.

const ACTION_KEYS = {
  Backspace: "undo",
  u: "undo",
  l: "defer",
  x: "exclude",
  p: "prediction",
  v: "panels",
  "?": "help",
  Escape: "close",
};

const isTextField = (element) =>
  element instanceof HTMLElement &&
  (element.isContentEditable || element.matches("input, textarea, select, [role=textbox]"));

// What a keydown stands for: { label } or { action }, or null where the key is not ours.
function meaningOf(event, labels) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  // Inside a shadow root the event's target is the host; the path begins with the real one.
  if (isTextField(event.composedPath()[0])) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const label = labels.findIndex((choice) => choice.key === key);
  if (label >= 0) return { label };
  return key in ACTION_KEYS ? { action: ACTION_KEYS[key] } : null;
}
