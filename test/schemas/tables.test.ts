import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TableSpec } from '../../core-plugins/foundation/database/database.ts'
import { tablesOf } from '../../core-plugins/foundation/schemas/tables.ts'
import { component, type Files, load, type } from './schema-directory.ts'

async function tablesOfFiles(files: Files): Promise<Map<string, TableSpec>> {
  return new Map(tablesOf(await load(files), []).map((table) => [table.name, table]))
}

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
})

describe('the tables of content', () => {
  it('have a column for each attribute of its kind', async () => {
    const tables = await tablesOfFiles({
      'blog-post.json': type(
        'blog-post',
        {
          metaTitle: { type: 'string', maxLength: 60 },
          contact: { type: 'email' },
          long: { type: 'string', maxLength: 5000 },
          body: { type: 'text' },
          html: { type: 'richtext' },
          rank: { type: 'integer' },
          big: { type: 'bigint' },
          price: { type: 'decimal' },
          isOn: { type: 'boolean' },
          day: { type: 'date' },
          moment: { type: 'datetime' },
          data: { type: 'json' },
          size: { type: 'enum', enum: ['s'], renamedFrom: 'clothSize' },
          cover: { type: 'media' },
          gallery: { type: 'media', multiple: true },
          part: { type: 'component', component: 'a.b', repeatable: true },
          zone: { type: 'dynamicZone', components: ['a.b'] },
          author: relation('manyToOne', 'user', { renamedFrom: 'writer' }),
          fans: relation('manyToMany', 'user'),
        },
        { options: { draftAndPublish: true, softDelete: true, timestamps: false } },
      ),
      'components/a.b.json': component('a.b', {}),
    })
    const nullable = true
    assert.deepEqual(tables.get('content_blog_post')?.columns, [
      { name: 'id', kind: 'id' },
      { name: 'meta_title', kind: 'string', nullable, length: 60 },
      { name: 'contact', kind: 'string', nullable, length: 255 },
      { name: 'long', kind: 'text', nullable },
      { name: 'body', kind: 'text', nullable },
      { name: 'html', kind: 'text', nullable },
      { name: 'rank', kind: 'integer', nullable },
      { name: 'big', kind: 'bigint', nullable },
      { name: 'price', kind: 'decimal', nullable },
      { name: 'is_on', kind: 'boolean', nullable },
      { name: 'day', kind: 'date', nullable },
      { name: 'moment', kind: 'datetime', nullable },
      { name: 'data', kind: 'json', nullable },
      { name: 'size', kind: 'string', nullable, length: 255, renamedFrom: 'cloth_size' },
      { name: 'cover_id', kind: 'reference', nullable },
      {
        ...{ name: 'part', kind: 'json', nullable },
        shape: { is: 'items', component: 'a.b', members: {}, isList: true },
      },
      { name: 'zone', kind: 'json', nullable, shape: { is: 'blocks', components: { 'a.b': {} } } },
      { name: 'author_id', kind: 'reference', nullable, renamedFrom: 'writer_id' },
      { name: 'created_at', kind: 'datetime' },
      { name: 'updated_at', kind: 'datetime' },
      { name: 'published_at', kind: 'datetime', nullable, filledFrom: 'created_at' },
      { name: 'deleted_at', kind: 'datetime', nullable },
      { name: '_uuid', kind: 'string', length: 36, nullable },
    ])
  })

  it('have the same columns however many components a zone may hold', async () => {
    const uids = Array.from({ length: 60 }, (_, index) => `block.kind-${index}`)
    const files = Object.fromEntries(
      uids.map((uid) => [
        `components/${uid}.json`,
        component(uid, { text: { type: 'string' }, image: { type: 'media' } }),
      ]),
    )
    const few = await tablesOfFiles({
      ...files,
      'post.json': type('post', { zone: { type: 'dynamicZone', components: uids.slice(0, 2) } }),
    })
    const many = await tablesOfFiles({
      ...files,
      'post.json': type('post', { zone: { type: 'dynamicZone', components: uids } }),
    })
    const namesIn = (tables: typeof few) =>
      [...tables].map(([name, { columns }]) => [
        name,
        columns.map((column) => `${column.name} ${column.kind}`),
      ])
    assert.deepEqual(namesIn(many), namesIn(few))
  })

  it('have the indexes that attributes need and the file declares, each once', async () => {
    const tables = await tablesOfFiles({
      'post.json': type(
        'post',
        {
          slug: { type: 'string', unique: true },
          body: { type: 'text' },
          author: relation('manyToOne', 'user'),
          page: relation('oneToOne', 'user'),
          cover: { type: 'media' },
        },
        {
          options: { draftAndPublish: true, i18n: { enabled: true } },
          indexes: [
            { fields: ['slug', 'locale'], type: 'unique' },
            { fields: ['slug', 'body'], type: 'fulltext' },
            { fields: ['author', 'createdAt'], type: 'index' },
          ],
        },
      ),
    })
    assert.deepEqual(tables.get('content_post')?.indexes, [
      { columns: ['slug'], type: 'unique' },
      { columns: ['author_id'], type: 'index' },
      { columns: ['page_id'], type: 'unique' },
      { columns: ['cover_id'], type: 'index' },
      { columns: ['slug', 'body'], type: 'fulltext' },
      { columns: ['author_id', 'created_at'], type: 'index' },
      { columns: ['id', 'published_at'], type: 'index' },
      { columns: ['created_at', 'id', 'published_at'], descending: ['created_at'], type: 'index' },
      { columns: ['updated_at', 'id', 'published_at'], descending: ['updated_at'], type: 'index' },
      { columns: ['published_at', 'id'], descending: ['published_at'], type: 'index' },
      { columns: ['_uuid'], type: 'unique' },
    ])
  })

  it('refer to their targets by the rule for deletion, whichever side says it', async () => {
    const tables = await tablesOfFiles({
      'post.json': type('post', {
        plain: relation('manyToOne', 'author'),
        needed: relation('manyToOne', 'author', { required: true }),
        loose: relation('manyToOne', 'author', { required: true, onDelete: 'SET NULL' }),
        owned: relation('manyToOne', 'author', { inversedBy: 'posts' }),
        cover: { type: 'media', required: true },
      }),
      'author.json': type('author', {
        posts: relation('oneToMany', 'post', { mappedBy: 'owned', onDelete: 'CASCADE' }),
      }),
    })
    assert.deepEqual(tables.get('content_post')?.references, [
      { column: 'plain_id', table: 'content_author', onDelete: 'set null' },
      { column: 'needed_id', table: 'content_author', onDelete: 'restrict' },
      { column: 'loose_id', table: 'content_author', onDelete: 'set null' },
      { column: 'owned_id', table: 'content_author', onDelete: 'cascade' },
      { column: 'cover_id', table: 'svc_media', onDelete: 'set null' },
    ])
    assert.deepEqual(
      tables.get('content_author')?.columns.map(({ name }) => name),
      ['id', 'created_at', 'updated_at', '_uuid'],
    )
  })

  it('keep links in tables of their own', async () => {
    const tables = await tablesOfFiles({
      'blog-post.json': type('blog-post', {
        relatedPosts: relation('manyToMany', 'blog-post'),
        parts: relation('oneToMany', 'part', { onDelete: 'RESTRICT' }),
        gallery: { type: 'media', multiple: true },
      }),
      'part.json': type('part', {}),
    })
    const columns = [
      { name: 'source_id', kind: 'reference' },
      { name: 'target_id', kind: 'reference' },
      { name: 'position', kind: 'integer' },
    ]
    const link = (name: string, target: string, targetIndex: string, onDelete: string) => ({
      name,
      columns,
      primaryKey: ['source_id', 'target_id'],
      indexes: [{ columns: ['target_id'], type: targetIndex }],
      references: [
        { column: 'source_id', table: 'content_blog_post', onDelete: 'cascade' },
        { column: 'target_id', table: target, onDelete },
      ],
    })
    assert.deepEqual(
      [...tables.values()].filter(({ name }) => name.startsWith('link_')),
      [
        link('link_blog_post_related_posts', 'content_blog_post', 'index', 'cascade'),
        link('link_blog_post_parts', 'content_part', 'unique', 'restrict'),
        link('link_blog_post_gallery', 'svc_media', 'index', 'cascade'),
      ],
    )
  })
})

describe('the tables of system types', () => {
  it('have the columns that their own plugins write, and those of extensions', async () => {
    const tables = await tablesOfFiles({
      'user.extension.json': {
        attributes: {
          nickname: { type: 'string', required: true },
          favourites: relation('manyToMany', 'post'),
        },
      },
      'post.json': type('post', {}),
    })
    const shown = (name: string) =>
      tables.get(name)?.columns.map((column) => `${column.name} ${column.kind}${column.nullable ? '?' : ''}`)
    assert.deepEqual(shown('svc_users'), [
      'id id',
      'email string',
      'username string',
      'password_hash string',
      'role string',
      'blocked boolean',
      'token_version integer',
      'nickname string?',
      'created_at datetime',
      'updated_at datetime',
    ])
    assert.deepEqual(tables.get('svc_users')?.indexes, [
      { columns: ['email'], type: 'unique' },
      { columns: ['username'], type: 'unique' },
      { columns: ['id'], type: 'index' },
      { columns: ['created_at', 'id'], descending: ['created_at'], type: 'index' },
      { columns: ['updated_at', 'id'], descending: ['updated_at'], type: 'index' },
    ])
    assert.deepEqual(shown('svc_roles'), [
      'id id',
      'name string',
      'description text?',
      'type string',
      'permissions json',
      'created_at datetime',
      'updated_at datetime',
    ])
    assert.ok(
      tables.has('svc_media') && tables.has('svc_media_folders') && tables.has('link_user_favourites'),
    )
  })

  it('name the plugin whose columns are among them', async () => {
    const schemas = await load({ 'page.json': type('page', { title: { type: 'string' } }) })
    const rank = { name: '_shop_rank', kind: 'integer', nullable: true } as const
    const tables = tablesOf(schemas, [
      { plugin: 'shop', value: (_, table) => ({ ...table, columns: [...table.columns, rank] }) },
    ])
    const page = tables.find(({ name }) => name === 'content_page')
    const owned = page?.columns.filter(({ plugin }) => plugin !== undefined)
    assert.deepEqual(owned, [{ ...rank, plugin: 'shop' }])
  })
})
