import type { Attribute } from '../../foundation/schemas/schemas.ts'

const likelyTitles = ['title', 'name', 'label']

/** What is said about a type or a component in `pluginOptions.panel`, as far as it concerns titles. */
interface PanelOptions {
  readonly panel?: { readonly title?: unknown }
}

/**
 * The field by which people recognise an entry: the one that `pluginOptions.panel.title` names, else one called title, name or
 * label whose type can be a title (`search.isTitle`: strings), else the first such field, else the id. Private attributes
 * are never returned to clients, so they cannot be titles.
 */
export function titleFieldOf(attributes: readonly Attribute[], pluginOptions: PanelOptions = {}): string {
  const shown = attributes.filter((attribute) => !attribute.private)
  const chosen = shown.find(({ name }) => name === pluginOptions.panel?.title)
  if (chosen !== undefined) return chosen.name
  const possible = shown.filter(canBeTitle).map(({ name }) => name)
  return likelyTitles.find((name) => possible.includes(name)) ?? possible[0] ?? 'id'
}

const canBeTitle = ({ definition }: Attribute): boolean =>
  definition.shape === 'value' && definition.search?.isTitle === true
