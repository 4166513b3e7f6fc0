import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { loadSchemas } from '../../core-plugins/foundation/schemas/files/load.ts'
import { readSchemaFiles } from '../../core-plugins/foundation/schemas/files/read-files.ts'
import { generateTypes } from '../../core-plugins/foundation/schemas/schemas.ts'
import { slow } from '../support/scope.ts'
import { component, load, type, withDirectory } from './schema-directory.ts'

/** Checks `use` beside the generated types; answers what the compiler says. */
function compile(types: string, use: string): Promise<string> {
  return withDirectory({ 'content.ts': types }, async (directory) => {
    await writeFile(join(directory, 'use.ts'), use)
    const compiler = resolve('node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--target', 'es2023', '--types', '', '--ignoreConfig']
    return new Promise((done) => {
      execFile(
        process.execPath,
        [compiler, ...options, join(directory, 'use.ts')],
        (_error, output, errors) => done(output + errors),
      )
    })
  })
}

describe('generated TypeScript types', () => {
  it('carry the descriptions of attributes', async () => {
    const tea = { type: 'string', description: 'Which tea */ how\nstrong' } as const
    const types = generateTypes(await load({ 'cup.json': type('cup', { tea, size: { type: 'integer' } }) }))
    assert.equal(types.split('  /** Which tea *\u200b/ how strong */\n  tea').length, 3)
    assert.match(types, /\| null\n {2}size/)
  })

  it('describe the sample content', async () => {
    const { files } = await readSchemaFiles('schemas', 'schemas')
    const use = `
      import type { Article, ArticleFilters, ArticleInput, ContentTypes, User } from './content'
      export const input: ArticleInput = { title: 'a', slug: 'b', categories: [1], blocks: [{ __component: 'shared.quote', text: 'x' }] }
      export const change: Partial<ContentTypes['article']['input']> = { featured: null }
      export const filters: ArticleFilters = {
        title: { $containsi: 'x', $not: { $eq: 'y' } },
        author: { name: { $startsWith: 'A' }, $notNull: true },
        categories: [1, 2],
        $or: [{ featured: true }, { published_at: { $lt: '2026-01-01T00:00:00.000Z' } }],
        seo: { $null: true },
      }
      export const titles = (article: Article): string | null => article.seo?.metaTitle ?? article.title
      export const author = (article: Article) => (typeof article.author === 'number' ? '' : article.author?.name)
      export const wrong = [
        // @ts-expect-error slug is required
        { title: 'a' } satisfies ArticleInput,
        // @ts-expect-error no such component in this zone
        { title: 'a', slug: 'b', blocks: [{ __component: 'shared.seo', metaTitle: 'x' }] } satisfies ArticleInput,
        // @ts-expect-error the status is an enum
        { status: 'unknown' } satisfies Partial<ContentTypes['country']['input']>,
        // @ts-expect-error a boolean has no substrings
        { featured: { $contains: 'x' } } satisfies ArticleFilters,
        // @ts-expect-error inverse sides are not written
        { name: 'a', articles: [1] } satisfies ContentTypes['author']['input'],
      ]
      // @ts-expect-error hashes never leave the service
      export const hash = (user: User) => user.passwordHash
    `
    assert.equal(await compile(generateTypes(loadSchemas(files)), use), '')
  })

  it('have names of their own, and comments that end where they should', slow, async () => {
    const schemas = await load({
      'shared-seo.json': type('shared-seo', { constructor_: { type: 'string' } }),
      'text-filter.json': type('text-filter', {}),
      'text.json': type(
        'text',
        { state: { type: 'enum', enum: ['it\'s "so"', '*/'] } },
        {
          info: { singularName: 'text', pluralName: 'texts', displayName: 'x', description: 'Ends */ early' },
          options: { i18n: { enabled: true }, softDelete: true, timestamps: false },
        },
      ),
      'components/shared.seo.json': component('shared.seo', { on: { type: 'boolean', required: true } }),
    })
    const use = `
      import type { ContentTypes, SharedSeo, SharedSeo_, Text, TextFilter, TextFilter_ } from './content'
      export const component: SharedSeo_ = { on: true }
      export const entry: Omit<SharedSeo, 'created_at' | 'updated_at'> = { id: 1, constructor_: null }
      export const filter: TextFilter = { $eq: 'x' }
      export const other = (entry: TextFilter_) => entry.id
      export const text: Text = { id: 1, state: '*/', locale: 'en' }
      export const input: ContentTypes['text']['input'] = { locale: 'en' }
    `
    assert.equal(await compile(generateTypes(schemas), use), '')
  })
})
