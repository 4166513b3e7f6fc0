/** An element with attributes and children; what is null is left out. */
export function element(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children.filter((child) => child !== null))
  return made
}
