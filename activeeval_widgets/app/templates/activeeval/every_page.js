(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const followTheme = () => {
    document.body.dataset.jpThemeLight = String(!dark.matches);
    document.body.dataset.jpThemeName = dark.matches ? "JupyterLab Dark" : "JupyterLab Light";
  };
  followTheme();
  dark.addEventListener("change", followTheme);

  // The token is in a cookie by now; in the address it would be copied, and seen by who stands by.
  const address = new URL(location.href);
  if (address.searchParams.has("token")) {
    address.searchParams.delete("token");
    history.replaceState(history.state, "", address);
  }
})();
