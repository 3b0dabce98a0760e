// Written from activeeval_widgets/widgets/elements/allowlist.py by `make bundle`: edit that.

export const SAFE: { tags: string[]; attributes: Record<string, Record<string, string>> } = {
  "tags": [
    "a",
    "b",
    "bdi",
    "blockquote",
    "br",
    "caption",
    "code",
    "dd",
    "del",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "var"
  ],
  "attributes": {
    "*": {
      "class": "(?:aew-answers|aew-aside|aew-block|aew-broken|aew-call|aew-card|aew-center|aew-code|aew-column|aew-conversation|aew-cut|aew-half|aew-html|aew-large|aew-link|aew-long|aew-markdown|aew-missing|aew-muted|aew-one-by-one|aew-pair|aew-passage|aew-pre|aew-prompt|aew-prose|aew-query|aew-ranking|aew-record|aew-reference|aew-result|aew-result-body|aew-results|aew-row|aew-small|aew-thumbnail|aew-title|aew-turn|aew-unseen|aew-wide)(?: (?:aew-answers|aew-aside|aew-block|aew-broken|aew-call|aew-card|aew-center|aew-code|aew-column|aew-conversation|aew-cut|aew-half|aew-html|aew-large|aew-link|aew-long|aew-markdown|aew-missing|aew-muted|aew-one-by-one|aew-pair|aew-passage|aew-pre|aew-prompt|aew-prose|aew-query|aew-ranking|aew-record|aew-reference|aew-result|aew-result-body|aew-results|aew-row|aew-small|aew-thumbnail|aew-title|aew-turn|aew-unseen|aew-wide))*",
      "dir": "auto|ltr|rtl",
      "lang": "[A-Za-z0-9-]{1,35}",
      "title": "[\\s\\S]*"
    },
    "a": {
      "href": "(?:[hH][tT]{2}[pP][sS]?://|[mM][aA][iI][lL][tT][oO]:)[^\\u0000-\\u0020\\u007f-\\u00a0]+"
    },
    "img": {
      "src": "data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}",
      "alt": "[\\s\\S]*",
      "width": "[0-9]{1,5}",
      "height": "[0-9]{1,5}"
    },
    "li": {
      "data-item": "[\\s\\S]*"
    },
    "ol": {
      "start": "-?[0-9]{1,9}"
    },
    "p": {
      "data-passage": "[0-9]{1,9}",
      "data-next": "[0-9]{1,12}"
    },
    "td": {
      "colspan": "[1-9][0-9]{0,2}",
      "rowspan": "[1-9][0-9]{0,2}",
      "scope": "row|col|rowgroup|colgroup"
    },
    "th": {
      "colspan": "[1-9][0-9]{0,2}",
      "rowspan": "[1-9][0-9]{0,2}",
      "scope": "row|col|rowgroup|colgroup"
    }
  }
};
