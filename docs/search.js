/* How the site's search ranks what it finds. Sphinx runs this after searchtools.js, whose own rule asks a page for every word of the
   query, so that a question in somebody's own words finds nothing. Here a page or a heading needs half of the words that are on any
   page, rare words counting more than frequent ones. */

const isBehind = (page) => /(^|\/)(generated\/|CHANGELOG|CONTRIBUTING|benchmarks\/)|\/reference\/(messages|command-line)$/.test(page);

const isForQuestions = (page) => /\/(faq|glossary)$/.test(page);

Scorer.score = ([page, , , , score]) => score - (isBehind(page) ? 100 : 0) + (isForQuestions(page) ? 2 : 0);

const stems = new Map(); // of each heading, so that they are made once

const stemsOf = (title) => {
  if (!stems.has(title)) {
    const stemmer = new Stemmer();
    const words = splitQuery(title.toLowerCase()).filter((word) => word.length > 1 && !stopwords.has(word));
    stems.set(title, [...new Set(words.map((word) => stemmer.stemWord(word)))]);
  }
  return stems.get(title);
};

Search.performTermsSearch = (words, excluded) => {
  const { terms, titleterms, titles, alltitles, docnames, filenames } = Search._index;
  const of = (index, word) => (Object.hasOwn(index, word) ? [index[word]].flat() : []);
  const pagesWith = (word) => new Set([...of(terms, word), ...of(titleterms, word)]);
  const asked = [];
  for (const word of words) {
    const same = pagesWith(word);
    const begun = [terms, titleterms].flatMap((index) => Object.keys(index).filter((each) => each.startsWith(word)));
    const pages = same.size || word.length < 3 ? same : new Set(begun.flatMap((each) => [...pagesWith(each)]));
    if (pages.size) asked.push({ word, pages, weight: Math.log(1 + titles.length / pages.size) });
  }
  if (!asked.length) return [];
  const total = asked.reduce((sum, { weight }) => sum + weight, 0);
  const left = new Set([...excluded].flatMap((word) => [...pagesWith(word)]));
  const share = (met) => met.reduce((sum, { weight }) => sum + weight, 0) / total;
  const ofPage = titles.map((_title, page) => share(asked.filter(({ pages }) => pages.has(page))));
  const found = [];
  const add = (page, title, anchor, score, kind) => {
    if (!left.has(page)) found.push([docnames[page], title, anchor, null, score, filenames[page], kind]);
  };
  const withHeading = new Set();
  for (const [title, places] of Object.entries(alltitles)) {
    const own = stemsOf(title);
    const met = asked.filter(({ word }) => own.some((each) => each === word || (word.length > 3 && each.startsWith(word))));
    if (share(met) < 0.5) continue;
    for (const [page, anchor] of places) {
      const isPage = titles[page] === title;
      const score = 10 * ofPage[page] + 20 * share(met) * Math.sqrt(Math.min(1, met.length / own.length)) + isPage;
      add(page, isPage ? title : `${titles[page]} > ${title}`, anchor === null ? "" : `#${anchor}`, score, SearchResultKind.title);
      withHeading.add(page);
    }
  }
  titles.forEach((title, page) => {
    if (ofPage[page] >= 0.5 && !withHeading.has(page)) add(page, title, "", 10 * ofPage[page], SearchResultKind.text);
  });
  return found;
};
