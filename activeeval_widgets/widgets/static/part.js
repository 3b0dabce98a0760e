// Made of frontend/src by `make bundle`: edit that.

// src/parts/loader.ts
var LOADED = /* @__PURE__ */ Symbol.for("activeeval-widgets.page");
function pageOf(model) {
  if (model[LOADED] === void 0) {
    const address = URL.createObjectURL(new Blob([model.get("_esm")], { type: "text/javascript" }));
    model[LOADED] = import(address).finally(() => URL.revokeObjectURL(address));
  }
  return model[LOADED];
}
async function render({ model, el }) {
  const shared = await model.widget_manager.get_model(model.get("_page").replace("IPY_MODEL_", ""));
  const page = await pageOf(shared);
  return page.default.renderPart(shared, el, model.get("_part"));
}
var loader_default = { render };
export {
  loader_default as default
};
