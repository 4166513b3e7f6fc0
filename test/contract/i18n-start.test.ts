import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startLocalised, typeFile } from './i18n-world.ts'

it('a type that cannot be localised as it says is told at the start, with everything that is wrong', async () => {
  const schemas = typeFile(
    'page',
    { i18n: { enabled: true } },
    {
      slug: { type: 'string', unique: true, maxLength: 768 },
      parts: { type: 'relation', relation: 'oneToMany', target: 'page' },
    },
  )
  await assert.rejects(
    startLocalised('sqlite', { schemas }),
    (error: { problems: { subject: string }[] }) => {
      const subjects = error.problems.map(({ subject }) => subject)
      assert.deepEqual(subjects, ['page.json: attributes.parts', 'page.json: slug, locale'])
      return true
    },
  )
})
