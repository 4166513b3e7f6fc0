import { sql } from 'drizzle-orm'
import type { Database } from '../../core-plugins/foundation/database/database.ts'

const toNotes = (relation: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: 'note',
  ...more,
})

/** Notes that all refer to one another through every kind of reference. */
export const denseSchemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { i18n: { enabled: true, locales: ['en', 'de'] } },
    attributes: {
      title: { type: 'string' },
      body: { type: 'text' },
      friends: toNotes('manyToMany', { inversedBy: 'friendOf' }),
      friendOf: toNotes('manyToMany', { mappedBy: 'friends' }),
      boss: toNotes('manyToOne', { inversedBy: 'staff' }),
      staff: toNotes('oneToMany', { mappedBy: 'boss' }),
      boxes: { type: 'component', component: 'dense.box', repeatable: true },
      zone: { type: 'dynamicZone', components: ['dense.box'] },
    },
  },
  'components/dense.box.json': {
    uid: 'dense.box',
    category: 'dense',
    info: { displayName: 'Box' },
    attributes: { label: { type: 'string' }, note: toNotes('manyToOne'), notes: toNotes('manyToMany') },
  },
}

/** Links all existing notes with one another in SQL, to avoid an API request for each. */
export const linkAllStatements = [
  'insert into link_note_friends (source_id, target_id, position) select a.id, b.id, b.id from content_note a, content_note b',
  'update content_note set boss_id = (select first from (select min(id) as first from content_note) as f)',
]

export async function linkAll(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const statement of linkAllStatements) await tx.run(database.prepare(sql.raw(statement)))
  })
}
