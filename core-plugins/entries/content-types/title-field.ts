import type { Attribute } from '../../foundation/schemas/schemas.ts'

const likelyTitles = ['title', 'name', 'label']

/** What is said about a type or a component in `pluginOptions.panel`, as far as it concerns titles. */
interface PanelOptions {
  readonly panel?: { readonly title?: unknown }
}

/**
 * The field by which people recognise an entry: the one that `pluginOptions.panel.title` names, else a string
 * called title, name or label, else the first string, else the id. Private attributes are in no answer, so none of them is.
 */
export function titleFieldOf(attributes: readonly Attribute[], pluginOptions: PanelOptions = {}): string {
  const shown = attributes.filter((attribute) => !attribute.private)
  const chosen = shown.find(({ name }) => name === pluginOptions.panel?.title)
  if (chosen !== undefined) return chosen.name
  const strings = shown.filter(({ type }) => type === 'string').map(({ name }) => name)
  return likelyTitles.find((name) => strings.includes(name)) ?? strings[0] ?? 'id'
}
