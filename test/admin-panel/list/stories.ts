import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../../core-plugins/foundation/database/database.ts'
import { startService, type TestService } from '../../support/service.ts'

/** As many stories as `fillStories` leaves behind. */
export const storyCount = 10_000

const schemas = {
  'writer.json': {
    kind: 'collectionType',
    info: { singularName: 'writer', pluralName: 'writers', displayName: 'Writer' },
    pluginOptions: { panel: { group: 'People' } },
    attributes: { name: { type: 'string', required: true } },
  },
  'story.json': {
    kind: 'collectionType',
    info: { singularName: 'story', pluralName: 'stories', displayName: 'Stories' },
    options: { draftAndPublish: true, softDelete: true },
    pluginOptions: {
      panel: { columns: ['title', 'writer', 'mood', 'rank', 'featured', '_publication', 'created_at'] },
    },
    attributes: {
      title: { type: 'string', required: true },
      rank: { type: 'integer', pluginOptions: { panel: { label: 'Place' } } },
      mood: { type: 'enum', enum: ['calm', 'wild'] },
      featured: { type: 'boolean' },
      writer: { type: 'relation', relation: 'manyToOne', target: 'writer' },
    },
  },
}

/** A service with two writers, and their stories: Story 1, Story 2 …, each writer every second one. */
export async function startWithStories(): Promise<TestService> {
  const service = await startService({ schemas })
  for (const name of ['Ada', 'Grace']) {
    assert.equal((await service.admin.post('/api/content/writer', { name })).status, 201)
  }
  const story = { title: 'Story 1', rank: 1, mood: 'calm', featured: false, writer: 2 }
  assert.equal((await service.admin.post('/api/content/story', story)).status, 201)
  await fillStories(service)
  return service
}

/** In SQL, doubling what is there, to avoid an API request for each. */
async function fillStories({ kernel }: TestService) {
  const database = kernel.get(databaseService)
  for (let count = 1; count < storyCount; count *= 2) {
    const more = Math.min(count, storyCount - count)
    const copies =
      sql.raw(`insert into content_story (title, rank, mood, featured, writer_id, created_at, updated_at)
      select '', rank + ${count}, mood, featured, writer_id, created_at, updated_at
      from content_story where rank <= ${more}`)
    await database.transaction(async (tx) => tx.run(database.prepare(copies)))
  }
  const named = sql.raw("update content_story set title = 'Story ' || rank, writer_id = 1 + rank % 2")
  await database.transaction(async (tx) => tx.run(database.prepare(named)))
}
