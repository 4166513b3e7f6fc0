import type { Attribute } from '../schemas/schemas.ts'

const likelyTitles = ['title', 'name', 'label']

/** What is said about a type or a component in `pluginOptions.panel`, as far as it concerns titles. */
interface PanelOptions {
  readonly panel?: { readonly title?: unknown }
}

/** The attribute that `pluginOptions.panel.title` names, if it is one of these. */
export function chosenTitle(
  attributes: readonly Attribute[],
  pluginOptions: PanelOptions = {},
): Attribute | undefined {
  return attributes.find(({ name }) => name === pluginOptions.panel?.title)
}

/**
 * The field by which people recognise an entry: the one that `pluginOptions.panel.title` names, else a string
 * called title, name or label, else the first string, else the id.
 */
export function titleFieldOf(attributes: readonly Attribute[], pluginOptions: PanelOptions = {}): string {
  const chosen = chosenTitle(attributes, pluginOptions)
  if (chosen !== undefined) return chosen.name
  const strings = attributes.filter(({ type }) => type === 'string').map(({ name }) => name)
  return likelyTitles.find((name) => strings.includes(name)) ?? strings[0] ?? 'id'
}
