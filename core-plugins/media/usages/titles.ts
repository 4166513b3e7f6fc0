import type { Auth } from '../../auth/auth.ts'
import type { Content } from '../../content/content.ts'
import { chosenTitle } from '../../content-types/content-types.ts'
import type { Principal } from '../../http/http.ts'
import { type Attribute, type ContentType, columnOf } from '../../schemas/schemas.ts'

/** The titles of entries, for lists of entries of several types. */
export interface EntryTitles {
  /** By type and id (`article 7`); without entries that the caller may not read. One query per type. */
  of(
    entries: ReadonlyMap<ContentType, readonly number[]>,
    principal: Principal,
  ): Promise<ReadonlyMap<string, string>>
}

const usualNames = ['title', 'name', 'label', 'headline', 'subject']

export function createEntryTitles(content: Content, auth: Auth): EntryTitles {
  return {
    async of(entries, principal) {
      const titles = new Map<string, string>()
      const reads = content.within()
      for (const [type, ids] of entries) {
        const field = titleAttribute(type)?.name
        if (field === undefined || !auth.mayContent(principal, type.name, 'read')) continue
        for (const entry of await reads.findMany(type.name, ids, { principal, fields: [field] })) {
          const title = entry[field]
          if (typeof title === 'string') titles.set(`${type.name} ${entry.id}`, title)
        }
      }
      return titles
    },
  }
}

/** The attribute that `pluginOptions.panel.title` names, else one with the name of a title, else the first short text. */
function titleAttribute({ attributes, pluginOptions }: ContentType): Attribute | undefined {
  const shown = [...attributes.values()].filter(isShown)
  const texts = shown.filter(({ type }) => ['string', 'text', 'email'].includes(type))
  return (
    chosenTitle(shown, pluginOptions) ??
    texts.find(({ name }) => usualNames.includes(name)) ??
    texts.find(({ type }) => type === 'string')
  )
}

const isShown = (attribute: Attribute) => !attribute.private && columnOf(attribute) !== undefined
