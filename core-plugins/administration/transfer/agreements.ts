import { sql } from 'drizzle-orm'
import type { Database, Queries, RowOf } from '../../foundation/database/database.ts'
import type { ItemName } from '../../foundation/sections/sections.ts'
import { agreementsTable } from './tables.ts'

/** The hashes of an item in two environments when they last agreed; null where the item did not exist. */
export interface Agreement {
  readonly key: string
  /** The hash in the environment that answers. */
  readonly own: string | null
  /** The hash in the other environment. */
  readonly theirs: string | null
  /** ISO 8601 */
  readonly agreedAt: string
}

/** An agreement to be stored. */
export type NewAgreement = ItemName & Omit<Agreement, 'key' | 'agreedAt'>

export interface Agreements {
  /** The agreements with a peer on items of a section, after a key and in the order of keys. */
  page(peer: string, section: string, after: string, limit: number): Promise<readonly Agreement[]>
  /** The agreements with a peer on certain items of a section, in any order. */
  on(peer: string, section: string, keys: readonly string[]): Promise<readonly Agreement[]>
  /** Stores agreements, replacing earlier ones on the same items. */
  remember(peer: string, agreements: readonly NewAgreement[], at: string, on: Queries): Promise<void>
}

export function createAgreements(database: Database): Agreements {
  const rows = agreementsTable.on(database)
  const { peer, section, itemKey } = agreementsTable.columns
  const page = rows.list(
    (value) =>
      sql`${peer} = ${value(peer)} and ${section} = ${value(section)} and ${itemKey} > ${value(itemKey)}`,
    { orderBy: sql`${itemKey}` },
  )
  const some = rows.find(
    (value, inList) =>
      sql`${peer} = ${value(peer)} and ${section} = ${value(section)} and ${inList(itemKey, 'keys')}`,
  )
  const insert = rows.insertMany()
  const forget = rows.delete(
    (value, inList) =>
      sql`${peer} = ${value(peer)} and ${section} = ${value(section)} and ${inList(itemKey, 'keys')}`,
  )
  return {
    async page(ofPeer, ofSection, after, limit) {
      const found = await page.all({ peer: ofPeer, section: ofSection, itemKey: after, limit, offset: 0 })
      return found.map(agreementOf)
    },
    async on(ofPeer, ofSection, keys) {
      return (await some.all({ peer: ofPeer, section: ofSection, keys })).map(agreementOf)
    },
    async remember(ofPeer, agreements, agreedAt, on) {
      for (const [ofSection, ofItems] of bySection(agreements)) {
        await forget.run({ peer: ofPeer, section: ofSection, keys: ofItems.map(({ key }) => key) }, on)
        const kept = ofItems.filter(({ own, theirs }) => own !== null || theirs !== null)
        const added = kept.map(({ key, own, theirs }) => ({
          ...{ peer: ofPeer, section: ofSection, itemKey: key },
          ...{ own, theirs, agreedAt },
        }))
        await insert(added, on)
      }
    },
  }
}

const agreementOf = ({ itemKey: key, own, theirs, agreedAt }: RowOf<typeof agreementsTable>): Agreement => ({
  ...{ key, own, theirs, agreedAt },
})

function bySection(agreements: readonly NewAgreement[]): ReadonlyMap<string, readonly NewAgreement[]> {
  const sections = new Map<string, NewAgreement[]>()
  for (const agreement of agreements) {
    const ofSection = sections.get(agreement.section)
    if (ofSection === undefined) sections.set(agreement.section, [agreement])
    else ofSection.push(agreement)
  }
  return sections
}
