// Trees of elements from Python, built by hand: text becomes text, and what the list does not allow is refused.
// The list, SAFE, is the one that Python checks by; it stands before this script.

const SAFE_TAGS = new Set(SAFE.tags);
const SAFE_VALUES = Object.fromEntries(Object.entries(SAFE.attributes).map(([tag, names]) =>
  [tag, Object.fromEntries(Object.entries(names).map(([name, pattern]) => [name, new RegExp(`^(?:${pattern})$`)]))]));
const SAFE_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

function buildTree(node) {
  if (typeof node === "string") return document.createTextNode(node);
  const [tag, attributes, children] = node;
  if (!SAFE_TAGS.has(tag)) throw new Error(`the tag ${tag} is not allowed`);
  const built = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    const pattern = SAFE_VALUES["*"][name] ?? SAFE_VALUES[tag]?.[name];
    if (!pattern?.test(value) || (name === "href" && !SAFE_PROTOCOLS.has(new URL(value).protocol))) {
      throw new Error(`${name} of ${tag} is not allowed`);
    }
    built.setAttribute(name, value);
  }
  if (tag === "a") {
    built.target = "_blank";
    built.rel = "noopener noreferrer";
  }
  for (const child of children) built.appendChild(buildTree(child));
  return built;
}

const readTree = (bytes) => buildTree(JSON.parse(new TextDecoder().decode(bytes)));

// What is shown in the place of an image or an instance that only the browser finds to be broken.
function brokenContent(description, reason) {
  return buildTree(["div", { class: "aew-broken" }, [
    ["p", {}, [["strong", {}, [`${description} can't be shown.`]]]],
    ["p", {}, [reason]],
    ["p", {}, ["You can exclude it and go on."]],
  ]]);
}
