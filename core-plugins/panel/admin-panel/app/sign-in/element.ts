type Attributes = Readonly<Record<string, string | boolean>>

/** Creates an element; strings are inserted as text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '')
    else if (value !== false) made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}
