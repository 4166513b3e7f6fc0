import type { PanelItems } from '../../shell/panel-items.ts'

/** The label of a category: from its plugin, else its last part in words. */
export function categoryName(category: string, items: PanelItems['settings']): string {
  const item = items.find((each) => each.category === category)
  if (item !== undefined) return item.label
  const name = category.slice(category.lastIndexOf('.') + 1).replaceAll('-', ' ')
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
