// Elements that a script makes; what people typed goes in as text, never as markup.

export const element = (name, words, properties = {}) =>
  Object.assign(document.createElement(name), { textContent: words, ...properties });
