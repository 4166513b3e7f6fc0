import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createConfigPlugin } from '../../core-plugins/foundation/config/config.ts'
import { tables } from '../../core-plugins/foundation/database/database.ts'
import { schemasPlugin } from '../../core-plugins/foundation/schemas/plugin.ts'
import {
  generateTypes,
  type Schemas,
  schemaCheckService,
  schemaFolders,
  schemasService,
  type TypeExtension,
  typeExtensions,
} from '../../core-plugins/foundation/schemas/schemas.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import { createKernel, definePlugin, type Plugin, StartupError, silentLog } from '../../kernel/index.ts'
import { component, type Files, type, withDirectory } from './schema-directory.ts'

interface Started {
  readonly schemas: Schemas
  /** Why each third-party plugin is off, by its name. */
  readonly off: Readonly<Record<string, string>>
  /** What a schemas directory that holds no files would be refused for. */
  readonly missing: readonly string[]
}

/** Starts config and schemas with plugins, whose files are in `plugins/<name>/schemas`. */
function start(
  files: Files,
  plugins: readonly (string | Plugin)[],
  env: Readonly<Record<string, string>> = {},
  disabled: Readonly<Record<string, string>> = {},
): Promise<Started> {
  return withDirectory({ 'schemas/.keep': '', 'empty/.keep': '', ...files }, async (workingDirectory) => {
    const mounted = plugins.map((plugin) => {
      const each = typeof plugin === 'string' ? withFolder(plugin, workingDirectory) : plugin
      return mountPlugin(each, { space: each.name, listenerTimeoutMs: 1_000 })
    })
    const database = definePlugin({
      name: 'database',
      description: 'Takes the tables.',
      points: [tables],
    })
    const kernel = createKernel({
      plugins: [createConfigPlugin({ env, workingDirectory }), database, schemasPlugin, ...mounted],
      log: silentLog,
      isEssential: ({ name }) => ['config', 'database', 'schemas'].includes(name),
      disabled: new Map(Object.entries(disabled)),
    })
    await kernel.start()
    const schemas = kernel.get(schemasService)
    const problems = await kernel.get(schemaCheckService).check(join(workingDirectory, 'empty'))
    await kernel.stop()
    const off = kernel.plugins().flatMap(({ name, active, reason = '' }) => (active ? [] : [[name, reason]]))
    return {
      schemas,
      off: Object.fromEntries(off),
      missing: problems.map(({ subject, message }) => `${subject}: ${message}`),
    }
  })
}

function withFolder(name: string, workingDirectory: string): Plugin {
  const folder = pathToFileURL(join(workingDirectory, 'plugins', name, 'schemas/'))
  return definePlugin({
    name,
    description: 'Has schemas.',
    register: ({ contribute }) => contribute(schemaFolders, { folder }),
  })
}

function extending(name: string, extend: TypeExtension['extend']): Plugin {
  return definePlugin({
    name,
    description: 'Extends types.',
    register: ({ contribute }) => contribute(typeExtensions, { extend }),
  })
}

const text = { type: 'string' }

const relationTo = (target: string, more: object = {}) => ({
  type: 'relation',
  relation: 'manyToOne',
  target,
  ...more,
})

describe('schemas of plugins', () => {
  it('say whose they are', async () => {
    const { schemas, off } = await start(
      {
        'schemas/post.json': type('post', {
          title: text,
          price: { type: 'component', component: 'shop.price' },
        }),
        'schemas/shop-item.extension.json': { attributes: { shelf: text } },
        'schemas/components/shop.price.extension.json': { attributes: { currency: text } },
        'plugins/shop/schemas/shop-item.json': type('shop-item', { post: relationTo('post') }),
        'plugins/shop/schemas/components/shop.price.json': component('shop.price', { amount: text }),
        'plugins/shop/schemas/post.extension.json': { attributes: { shopCode: text } },
        'plugins/shop/schemas/user.extension.json': { attributes: { shop_customer: text } },
      },
      ['shop'],
    )
    assert.deepEqual(off, {})
    const item = schemas.types.get('shop-item')
    const price = schemas.components.get('shop.price')
    const post = schemas.types.get('post')
    assert.deepEqual([item?.plugin, price?.plugin, post?.plugin], ['shop', 'shop', undefined])
    assert.deepEqual([...(item?.attributes.keys() ?? [])], ['post', 'shelf'])
    assert.deepEqual([...(price?.attributes.keys() ?? [])], ['amount', 'currency'])
    assert.equal(post?.attributes.get('shopCode')?.plugin, 'shop')
    assert.equal(post?.attributes.get('title')?.plugin, undefined)
    assert.equal(item?.attributes.get('shelf')?.plugin, undefined)
    assert.ok(schemas.allTypes.get('user')?.attributes.has('shop_customer'))
    assert.match(generateTypes(schemas), /export interface ShopItem /)
  })

  const faults: [string, Files, RegExp][] = [
    [
      'a type with the name of a built-in one',
      { 'user.json': type('user', {}) },
      /^failed in init: its schemas cannot be used: plugins\/shop\/schemas\/user\.json: declares user, which is built in → choose another name, or extend user by user\.extension\.json/,
    ],
    [
      'a type that the project declares',
      { 'shop-post.json': type('shop-post', {}) },
      /shop-post\.json: declares shop-post, as schemas\/shop-post\.json does → choose another name, or extend/,
    ],
    [
      'a type whose names are not its own',
      { 'page.json': type('page', {}) },
      /page\.json: info\.singularName: page is no name of the plugin's own → begin it with shop-, or let shop use any names: SVC_SCHEMAS_FREE_NAMES; .*info\.pluralName: pages/,
    ],
    [
      'a name of 200 characters',
      { [`shop-${'x'.repeat(195)}.json`]: type(`shop-${'x'.repeat(195)}`, {}) },
      /info\.singularName: cannot be "shop-x+…/,
    ],
    [
      'an attribute of 200 characters',
      { 'post.extension.json': { attributes: { [`shop_${'x'.repeat(195)}`]: text } } },
      /is no name for an attribute/,
    ],
    [
      'a component whose category is not its own',
      { 'components/shared.note.json': component('shared.note', {}) },
      /uid: shared\.note is not in a category of the plugin's own → name it shop\.note, or let/,
    ],
    [
      'an attribute whose name is not its own',
      { 'post.extension.json': { attributes: { metaTitle: text } } },
      /post\.extension\.json: attributes\.metaTitle: metaTitle is no name of the plugin's own → name it shop_meta_title, or/,
    ],
    [
      'an attribute that takes over data of another owner',
      { 'post.extension.json': { attributes: { shop_title: { ...text, renamedFrom: 'headline' } } } },
      /attributes\.shop_title\.renamedFrom: headline is no name of the plugin's own/,
    ],
    [
      'an attribute that the type has',
      { 'post.extension.json': { attributes: { title: text } } },
      /attributes\.title: is an attribute of post already, from schemas\/post\.json → choose another name/,
    ],
    [
      'an attribute with the column of one that the type has',
      { 'post.extension.json': { attributes: { shopNote: text } } },
      /attributes\.shopNote: is stored under the same name as shop_note, from schemas\/post\.json/,
    ],
    [
      'an extension of what nobody declares',
      { 'poost.extension.json': { attributes: {} } },
      /poost\.extension\.json: extends poost, which nobody declares → did you mean post\?/,
    ],
    [
      'an extension of its own type',
      { 'shop-item.json': type('shop-item', {}), 'shop-item.extension.json': { attributes: {} } },
      /extends shop-item, which plugins\/shop\/schemas\/shop-item\.json declares/,
    ],
    [
      'a component that closes a circle with one of the project',
      {
        'components/shop.box.json': component('shop.box', {
          inner: { type: 'component', component: 'shared.box' },
        }),
      },
      /shop\.box\.json: attributes\.inner: makes the component hold itself: shared\.box → shop\.box → shared\.box/,
    ],
    ['no JSON', { 'shop-item.json': '{' }, /shop-item\.json: .*is no JSON/],
    ['a component in a folder', { 'components/more/x.json': '{}' }, /components\/more is a folder/],
  ]

  const project = {
    'schemas/post.json': type('post', { title: text, shop_note: text }),
    'schemas/shop-post.json': type('shop-post', {}),
  }
  const circle = {
    'schemas/components/shared.box.json': component('shared.box', {
      shop: { type: 'component', component: 'shop.box' },
    }),
  }

  for (const [what, files, reason] of faults) {
    it(`switch their plugin off, not the service: ${what}`, async () => {
      const inPlugin = Object.entries(files).map(([path, file]) => [`plugins/shop/schemas/${path}`, file])
      const isCircle = 'components/shop.box.json' in files
      const beside = isCircle
        ? { 'plugins/other/schemas/components/other.box.json': component('other.box', {}) }
        : {}
      const all = { ...project, ...(isCircle ? circle : {}), ...beside, ...Object.fromEntries(inPlugin) }
      if (isCircle) {
        // The project's component cannot do without the plugin's.
        await assert.rejects(start(all, ['shop']), (error: unknown) => {
          assert.ok(error instanceof StartupError)
          const [problem] = error.problems
          const told = `${problem?.message}`
          assert.match(told, /names shop\.box, which is of the plugin shop, which is off: failed in init/)
          assert.match(told, reason)
          return true
        })
        return
      }
      const { off, schemas } = await start(all, ['shop'])
      assert.match(off.shop ?? '', reason)
      assert.deepEqual([...schemas.types.keys()], ['post', 'shop-post'])
    })
  }

  it('switch their plugin off without a folder, and contributed too late', async () => {
    const late = definePlugin({
      name: 'late',
      description: 'Comes late.',
      uses: { schemas: schemasService },
      init: ({ contribute }) => contribute(typeExtensions, { extend: () => undefined }),
    })
    const odd = definePlugin({
      name: 'odd',
      description: 'Has no URL.',
      register: ({ contribute }) => contribute(schemaFolders, { folder: './schemas' as unknown as URL }),
    })
    const { off } = await start({}, ['gone', late, odd])
    assert.match(off.gone ?? '', /its schema folder file:.*plugins\/gone\/schemas\/ is no folder/)
    assert.match(off.late ?? '', /typeExtensions must be contributed to in register/)
    assert.match(off.odd ?? '', /a schema folder must be/)
  })

  it('may have any names where the project agrees', async () => {
    const files = {
      'schemas/post.json': type('post', {}),
      'plugins/shop/schemas/product.json': type('product', {}),
      'plugins/shop/schemas/post.extension.json': { attributes: { price: text } },
    }
    const { off, schemas } = await start(files, ['shop'], { SVC_SCHEMAS_FREE_NAMES: 'shop' })
    assert.deepEqual(off, {})
    assert.equal(schemas.types.get('product')?.plugin, 'shop')
    assert.ok(schemas.types.get('post')?.attributes.has('price'))
  })

  it('of two plugins that add the same, the later one is off, and told of the earlier one', async () => {
    const files = {
      'schemas/post.json': type('post', {}),
      'plugins/a/schemas/post.extension.json': { attributes: { price: text } },
      'plugins/b/schemas/post.extension.json': { attributes: { price: text } },
      'plugins/a/schemas/thing.json': type('thing', {}),
      'plugins/c/schemas/thing.json': type('thing', {}),
      'plugins/d/schemas/goods.json': type(
        'goods',
        {},
        {
          info: { singularName: 'goods', pluralName: 'articles', displayName: 'Goods' },
        },
      ),
      'plugins/a/schemas/article.json': type('article', {}),
    }
    const { off } = await start(files, ['a', 'b', 'c', 'd'], { SVC_SCHEMAS_FREE_NAMES: 'a,b,c,d' })
    assert.deepEqual(Object.keys(off), ['b', 'c', 'd'])
    assert.match(off.c ?? '', /declares thing, as plugins\/a\/schemas\/thing\.json of the plugin a does/)
    assert.match(
      off.b ?? '',
      /is an attribute of post already, from plugins\/a\/schemas\/post\.extension\.json of the plugin a/,
    )
    assert.match(
      off.d ?? '',
      /articles is a name of the type article \(plugins\/a\/schemas\/article\.json of the plugin a\), too/,
    )
  })

  it('of a circle through two plugins, one is off', async () => {
    const files = {
      'plugins/a/schemas/components/a.box.json': component('a.box', {
        b: { type: 'component', component: 'b.box' },
      }),
      'plugins/b/schemas/components/b.box.json': component('b.box', {
        a: { type: 'component', component: 'a.box' },
      }),
    }
    const { off } = await start(files, ['a', 'b'])
    assert.match(off.b ?? '', /makes the component hold itself: a\.box → b\.box → a\.box/)
    assert.match(off.a ?? '', /names b\.box, which is of the plugin b, which is off/)
  })

  it('are asked about types by code, and checked alike', async () => {
    const files = { 'schemas/post.json': type('post', { title: text }, { pluginOptions: { shop: {} } }) }
    const seen: string[] = []
    const good = extending('shop', ({ name, plugin, system, attributes, pluginOptions }) => {
      seen.push([name, plugin, system, Object.keys(attributes).join('+')].join(' '))
      return 'shop' in pluginOptions ? { shopRank: { type: 'integer' } } : undefined
    })
    const { schemas } = await start(files, [good])
    assert.ok(schemas.types.get('post')?.attributes.has('shopRank'))
    assert.ok(seen.includes('post  false title') && seen.some((line) => line.startsWith('user  true email')))

    const reasons: [TypeExtension['extend'], RegExp][] = [
      [
        () => ({ rank: { type: 'integer' } }),
        /the extension of user by shop: attributes\.rank: rank is no name/,
      ],
      [
        () => ({ shop_a: { type: 'intger' } }),
        /attributes\.shop_a\.type: cannot be "intger" → did you mean integer/,
      ],
      [() => [] as unknown as Record<string, object>, /what it adds to user must be an object of attributes/],
      [() => null as unknown as undefined, /must be an object of attributes/],
      [() => ({ shop_a: { type: 'integer', max: 1n } }), /serialize a BigInt/],
      [() => ({ constructor: { type: 'integer' } }), /constructor is no name of the plugin's own/],
      [
        () => {
          throw new Error('no idea')
        },
        /no idea/,
      ],
    ]
    for (const [extend, reason] of reasons) {
      const { off } = await start(files, [extending('shop', extend)])
      assert.match(off.shop ?? '', reason)
    }
  })

  it('are not missed by extensions of the project while they are off, but by its relations', async () => {
    const files = {
      'schemas/post.json': type('post', {}),
      'schemas/shop-item.extension.json': { attributes: { shelf: text } },
      'schemas/components/shop.price.extension.json': { attributes: { currency: text } },
    }
    const off = { shop: 'the config says so' }
    const { schemas } = await start(files, ['shop'], {}, off)
    assert.deepEqual([...schemas.types.keys()], ['post'])
    await assert.rejects(start(files, []), /extends shop-item, which nobody declares/)
    const referring = { 'schemas/post.json': type('post', { item: relationTo('shop-item') }) }
    await assert.rejects(
      start(referring, ['shop'], {}, off),
      /post\.json: attributes\.item\.target: names shop-item, which is of the plugin shop, which is off: the config says so → switch the plugin on/,
    )
  })

  it('of the project still stop the start, whatever a plugin adds', async () => {
    const files = {
      'schemas/post.json': type('post', { title: { type: 'strng' } }),
      'schemas/shop-item.extension.json': { attributes: { name: text, shelf: { type: 'strng' } } },
      'plugins/shop/schemas/shop-item.json': type('shop-item', { name: text }),
    }
    await assert.rejects(start(files, ['shop']), (error: unknown) => {
      assert.ok(error instanceof StartupError)
      assert.deepEqual(
        error.problems.map(({ subject, message }) => `${subject}: ${message}`),
        [
          'schemas/post.json: attributes.title.type: cannot be "strng"',
          'schemas/shop-item.extension.json: attributes.shelf.type: cannot be "strng"',
          'schemas/shop-item.extension.json: attributes.name: is an attribute of shop-item already, from plugins/shop/schemas/shop-item.json of the plugin shop',
        ],
      )
      return true
    })
  })

  it('count when files are checked that the service does not use yet', async () => {
    const files = {
      'schemas/post.json': type('post', {}),
      'plugins/shop/schemas/shop-item.json': type('shop-item', { post: relationTo('post') }),
    }
    const { missing } = await start(files, ['shop'])
    assert.deepEqual(missing, [
      'plugins/shop/schemas/shop-item.json: attributes.post.target: names post, which is no content type',
    ])
  })
})
