import type { Attribute } from '../../foundation/schemas/schemas.ts'

const likelyTitles = ['title', 'name', 'label']

/** The part of a type's or component's `pluginOptions.panel` that concerns titles. */
interface PanelOptions {
  readonly panel?: { readonly title?: unknown }
}

/**
 * The field by which users recognize an entry: the one named in `pluginOptions.panel.title`; else a field called title, name or
 * label whose type can be a title (`search.isTitle`: strings); else the first field of such a type; else the id. Private
 * attributes are never returned to clients, so they cannot be titles.
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
