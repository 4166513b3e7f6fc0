import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { component, type Files, load, problemsOf, type } from './schema-directory.ts'

/** The problems of one type `post` with the attribute `field`, without the path before it. */
async function problemsOfField(field: unknown, beside: object = {}): Promise<string[]> {
  const problems = await problemsOf({ 'post.json': type('post', { field, ...beside }) })
  return problems.map((problem) =>
    problem.replace('schemas/post.json: attributes.field', '').replace(/^\./, ''),
  )
}

async function expectProblems(files: Files, expected: readonly RegExp[]) {
  const problems = await problemsOf(files)
  assert.equal(problems.length, expected.length, problems.join('\n'))
  expected.forEach((pattern, index) => {
    assert.match(problems[index] ?? '', pattern)
  })
}

describe('the shape of schema files', () => {
  const cases: [string, unknown, RegExp[]][] = [
    ['an unknown type', { type: 'strin' }, [/^type: cannot be "strin" → did you mean string\?$/]],
    ['a type that is none at all', { type: 7 }, [/^type: cannot be 7 → use one of string, email/]],
    ['no type', {}, [/^type: is missing → add one of string, email/]],
    ['no object', 'string', [/^: must be an object → write/]],
    [
      'a misspelt key',
      { type: 'string', maxlength: 3 },
      [/^maxlength: is not a key that is known here → did you mean maxLength\?$/],
    ],
    [
      'a key of another type',
      { type: 'boolean', components: [] },
      [/^components: is not .* → remove it; possible are type, description, required,/],
    ],
    [
      'unique on a boolean',
      { type: 'boolean', unique: true },
      [/^unique: is not possible here → remove it; string, email and integer/],
    ],
    ['a negative length', { type: 'string', minLength: -1 }, [/^minLength: must be at least 0/]],
    [
      'a text for a number',
      { type: 'string', maxLength: '9' },
      [/^maxLength: must be a whole number, not "9"/],
    ],
    ['an empty enum', { type: 'enum', enum: [] }, [/^enum: must not be empty/]],
    ['no enum', { type: 'enum' }, [/^enum: is missing → add it$/]],
    ['a doubled enum value', { type: 'enum', enum: ['a', 'a'] }, [/^enum: holds the same item twice/]],
    ['an empty zone', { type: 'dynamicZone', components: [] }, [/^components: must not be empty/]],
    [
      'an unknown kind of media',
      { type: 'media', allowedTypes: ['image'] },
      [/^allowedTypes\.0: must be one of images, .* → did you mean images\?$/],
    ],
    ['digits that are none', { type: 'bigint', min: '1e3' }, [/^min: cannot be "1e3" → write digits/]],
    [
      'an earlier name that cannot have been one',
      { type: 'text', renamedFrom: 'a b' },
      [/^renamedFrom: cannot be "a b" → begin with a letter/],
    ],
  ]
  for (const [name, field, expected] of cases) {
    it(`refuses ${name}`, async () => {
      const problems = await problemsOfField(field)
      assert.equal(problems.length, expected.length, problems.join('\n'))
      expected.forEach((pattern, index) => {
        assert.match(problems[index] ?? '', pattern)
      })
    })
  }

  it('refuses what is missing around the attributes, each by name', async () => {
    await expectProblems({ 'post.json': { info: { singularName: 'post' } } }, [
      /^schemas\/post\.json: kind: is missing/,
      /^schemas\/post\.json: attributes: is missing/,
      /^schemas\/post\.json: info\.pluralName: is missing/,
      /^schemas\/post\.json: info\.displayName: is missing/,
    ])
  })

  it('refuses what is no object and what is no JSON, naming the place', async () => {
    await expectProblems({ 'list.json': [], 'broken.json': '{\n  "kind": 1,\n}' }, [
      /^schemas\/broken\.json: line 3, column 1: is no JSON/,
      /^schemas\/list\.json: must be an object, not \[\]/,
    ])
  })

  it('refuses names of attributes that columns and GraphQL cannot have', async () => {
    const names = ['1st', 'a-b', '', '__proto__', 'a b', 'ä', `a${'b'.repeat(63)}`]
    const attributes = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const problems = await problemsOf({ 'post.json': type('post', attributes) })
    assert.equal(problems.length, names.length, problems.join('\n'))
    for (const problem of problems) assert.match(problem, /is no name for an attribute → begin with a letter/)
  })
})

describe('the meaning of attributes', () => {
  const cases: [string, object, RegExp][] = [
    ['crossed lengths', { type: 'text', minLength: 9, maxLength: 3 }, /^minLength: is 9, more than .* 3 →/],
    [
      'a least length over the implicit greatest',
      { type: 'string', minLength: 300 },
      /^minLength: is 300, .* 255/,
    ],
    [
      'a default that is too long',
      { type: 'string', maxLength: 2, default: 'abc' },
      /^default: is "abc", but must have 0 to 2/,
    ],
    [
      'a default that is no address',
      { type: 'email', default: 'a@b' },
      /^default: is "a@b", but must be an e-mail/,
    ],
    [
      'unique on a long string',
      { type: 'string', unique: true, maxLength: 2000 },
      /^unique: .* → set maxLength to 768/,
    ],
    ['crossed bounds', { type: 'integer', min: 2, max: 1 }, /^min: is 2, more than/],
    [
      'crossed bounds of texts',
      { type: 'bigint', min: '9007199254740993', max: '9007199254740992' },
      /^min: is 9007199254740993/,
    ],
    [
      'a default out of bounds',
      { type: 'decimal', max: '1.5', default: 2 },
      /^default: is 2, but must lie between any and 1\.5/,
    ],
    ['a number that is not exact', { type: 'integer', max: 2 ** 60 }, /^max: cannot be 1152921504606847000/],
    [
      'a fraction in a bigint',
      { type: 'bigint', default: 1.5 },
      /^default: cannot be 1\.5 in a field of type bigint/,
    ],
    [
      'more than 64 bits',
      { type: 'bigint', max: '9223372036854775808' },
      /^max: cannot be "9223372036854775808"/,
    ],
    [
      'a day that is none',
      { type: 'date', default: '2026-02-30' },
      /^default: is "2026-02-30", but must be a date/,
    ],
    [
      'a time without an offset',
      { type: 'datetime', default: '2026-02-03T10:00' },
      /^default: .* must be `now`/,
    ],
    [
      'a default outside of the enum',
      { type: 'enum', enum: ['small', 'large'], default: 'smal' },
      /^default: .* → did you mean small\?/,
    ],
    [
      'bounds of a single component',
      { type: 'component', component: 'a.b', max: 2 },
      /^max: counts the items/,
    ],
  ]
  for (const [name, field, expected] of cases) {
    it(`refuses ${name}`, async () => {
      const files = { 'post.json': type('post', { field }), 'components/a.b.json': component('a.b', {}) }
      await expectProblems(files, [
        new RegExp(expected.source.replace('^', '^schemas/post\\.json: attributes\\.field\\.')),
      ])
    })
  }

  it('takes every property of every type', async () => {
    const attributes = {
      title: { type: 'string', required: true, unique: true, minLength: 1, maxLength: 700, default: 'a' },
      contact: { type: 'email', unique: true },
      body: { type: 'text', minLength: 1, maxLength: 65535 },
      html: { type: 'richtext' },
      rank: { type: 'integer', required: true, unique: true, min: -5, max: 5, default: 0 },
      big: { type: 'bigint', min: '-9223372036854775808', max: '9223372036854775807' },
      price: { type: 'decimal', min: 0, max: '99999999999999999999.99' },
      on: { type: 'boolean', required: true, default: false },
      day: { type: 'date', default: '2024-02-29' },
      moment: { type: 'datetime', default: 'now' },
      data: { type: 'json', default: { a: [1] } },
      size: { type: 'enum', enum: ['s', 'm'], default: 's', required: true },
      files: { type: 'media', allowedTypes: ['images', 'videos', 'audios', 'files'], multiple: true },
      owner: { type: 'relation', relation: 'manyToOne', target: 'user', onDelete: 'CASCADE' },
      part: { type: 'component', component: 'a.b', repeatable: true, min: 1, max: 3 },
      zone: { type: 'dynamicZone', components: ['a.b'] },
      extra: {
        type: 'string',
        pluginOptions: { i18n: { localized: true }, other: { any: 1 } },
        condition: { field: 'size', operator: 'in', value: ['s'] },
      },
    }
    const options = {
      draftAndPublish: true,
      timestamps: false,
      softDelete: true,
      i18n: { enabled: true, locales: ['en', 'de-CH'], defaultLocale: 'en' },
      workflow: {
        enabled: true,
        initialState: 'draft',
        states: [{ name: 'draft', label: 'Draft', color: '#ccc', publishable: true }],
        transitions: [{ from: 'draft', to: 'draft', label: 'Again', roles: ['admin'] }],
      },
    }
    const indexes = [
      { fields: ['title', 'locale'], type: 'unique' },
      { fields: ['title', 'body', 'html'], type: 'fulltext' },
      { fields: ['owner', 'published_at', 'deleted_at'], type: 'index' },
    ]
    const schemas = await load({
      'post.json': type('post', attributes, {
        $schema: './.schema/content-type.json',
        options,
        indexes,
        pluginOptions: { x: {} },
      }),
      'components/a.b.json': component('a.b', { text: { type: 'string' } }),
    })
    assert.deepEqual([...(schemas.types.get('post')?.attributes.keys() ?? [])], Object.keys(attributes))
  })
})

describe('conditions', () => {
  const beside = { size: { type: 'enum', enum: ['s', 'm'] }, on: { type: 'boolean' }, data: { type: 'json' } }
  const cases: [string, object, RegExp][] = [
    [
      'an unknown field',
      { field: 'siz', operator: 'eq', value: 's' },
      /^condition\.field: names siz, .* → did you mean size\?/,
    ],
    ['the field itself', { field: 'field', operator: 'exists' }, /^condition\.field: is the field itself/],
    [
      'a value that cannot be',
      { field: 'size', operator: 'eq', value: 'l' },
      /^condition\.value: must be one of s, m, not "l"/,
    ],
    [
      'a text for a boolean',
      { field: 'on', operator: 'neq', value: 'true' },
      /^condition\.value: must be true or false/,
    ],
    [
      'one value for in',
      { field: 'size', operator: 'in', value: 's' },
      /^condition\.value: must be an array/,
    ],
    [
      'comparison of JSON',
      { field: 'data', operator: 'eq', value: 1 },
      /^condition\.operator: .* → use exists or empty/,
    ],
    [
      'a value of exists that is none',
      { field: 'data', operator: 'exists', value: 1 },
      /^condition\.value: must be true or false/,
    ],
    [
      'an unknown operator',
      { field: 'on', operator: 'equals', value: 1 },
      /^condition\.operator: must be one of eq, neq/,
    ],
  ]
  for (const [name, condition, expected] of cases) {
    it(`refuse ${name}`, async () => {
      const problems = await problemsOfField({ type: 'string', condition }, beside)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] ?? '', expected)
    })
  }
})

describe('names', () => {
  it('refuses those that entries have themselves, and those of every object', async () => {
    const names = [
      'id',
      'ID',
      'created_at',
      'createdAt',
      'updatedAt',
      'published_at',
      'deletedAt',
      'locale',
      'constructor',
      'toString',
    ]
    const attributes = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const problems = await problemsOf({ 'post.json': type('post', attributes) })
    const reserved = problems.filter((problem) => problem.includes('is a name that the service uses itself'))
    assert.equal(reserved.length, names.length, problems.join('\n'))
  })

  it('refuses attributes that mean one column', async () => {
    const attributes = {
      metaTitle: { type: 'string' },
      meta_title: { type: 'text' },
      author: { type: 'relation', relation: 'manyToOne', target: 'user' },
      authorId: { type: 'integer' },
    }
    await expectProblems({ 'post.json': type('post', attributes) }, [
      /attributes\.meta_title: is stored under the same name as metaTitle/,
      /attributes\.authorId: is stored under the same name as author /,
    ])
  })

  it('refuses names that two types share, and a plural that is the singular', async () => {
    const info = (singularName: string, pluralName: string) => ({
      info: { singularName, pluralName, displayName: 'x' },
    })
    await expectProblems(
      {
        'sheep.json': type('sheep', {}, info('sheep', 'sheep')),
        'post.json': type('post', {}, info('post', 'users')),
        'blog-post.json': type('blog-post', {}),
        'blogPost.json': type('blogPost', {}, info('blogPost', 'entries')),
        'user.json': type('user', {}),
      },
      [
        /user\.json: declares user, which is built in → .*user\.extension\.json/,
        /sheep\.json: info\.pluralName: sheep cannot be told from the singular/,
        /blogPost\.json: info\.singularName: blogPost is a name of the type blog-post/,
        /post\.json: info\.pluralName: users is a name of the type user/,
      ],
    )
  })

  it('refuses a file that is not named like what it declares', async () => {
    await expectProblems(
      {
        'post.json': type('article', {}),
        'components/a.b.json': component('a.c', {}, { category: 'x' }),
        'components/nested/a.d.json': component('a.d', {}),
      },
      [
        /components\/nested: is a folder/,
        /post\.json: info\.singularName: is article, but the file is named post\.json → rename the file to article\.json/,
        /a\.b\.json: uid: is a\.c, but the file is named a\.b\.json/,
        /a\.b\.json: category: is x, but the uid begins with a/,
      ],
    )
  })

  it('refuses links that would share a table', async () => {
    const links = { type: 'relation', relation: 'manyToMany', target: 'user' }
    await expectProblems({ 'a.json': type('a', { bC: links }), 'a-b.json': type('a-b', { c: links }) }, [
      /a\.json: attributes\.bC: needs the table link_a_b_c, as a-b\.c does/,
    ])
  })
})

describe('relations', () => {
  const relation = (kind: string, target: string, more: object = {}) => ({
    type: 'relation',
    relation: kind,
    target,
    ...more,
  })
  const cases: [string, object, object, RegExp][] = [
    [
      'an unknown target',
      relation('manyToOne', 'autor'),
      {},
      /target: names autor, .* → did you mean author\?/,
    ],
    [
      'a plural as target',
      relation('manyToOne', 'people'),
      {},
      /target: names people, .* → did you mean author\?/,
    ],
    [
      'both sides at once',
      relation('manyToMany', 'author', { mappedBy: 'x', inversedBy: 'y' }),
      {},
      /inversedBy: stands beside mappedBy/,
    ],
    [
      'manyToOne as the inverse',
      relation('manyToOne', 'author', { mappedBy: 'x' }),
      {},
      /mappedBy: is not possible: the side with one/,
    ],
    [
      'oneToMany as the owner of another',
      relation('oneToMany', 'author', { inversedBy: 'x' }),
      {},
      /inversedBy: is not possible/,
    ],
    [
      'a required inverse',
      relation('oneToMany', 'author', { mappedBy: 'post', required: true }),
      { post: relation('manyToOne', 'post') },
      /required: is not possible on the inverse side/,
    ],
    [
      'an unknown owner',
      relation('oneToMany', 'author', { mappedBy: 'pots' }),
      { post: relation('manyToOne', 'post') },
      /mappedBy: names pots, .* → did you mean post\?/,
    ],
    [
      'an owner that is no relation',
      relation('oneToMany', 'author', { mappedBy: 'name' }),
      { name: { type: 'string' } },
      /mappedBy: names author\.name, which is of type string/,
    ],
    [
      'an owner with another target',
      relation('oneToMany', 'author', { mappedBy: 'post' }),
      { post: relation('manyToOne', 'user') },
      /which has the target user/,
    ],
    [
      'an owner of another kind',
      relation('oneToMany', 'author', { mappedBy: 'post' }),
      { post: relation('oneToOne', 'post') },
      /which is oneToOne, and the other end of oneToMany is manyToOne/,
    ],
    [
      'an owner with another inverse',
      relation('manyToMany', 'author', { mappedBy: 'posts' }),
      { posts: relation('manyToMany', 'post', { inversedBy: 'other' }) },
      /which has inversedBy other/,
    ],
    [
      'an inverse without an owner',
      relation('manyToMany', 'author', { inversedBy: 'posts' }),
      { posts: relation('manyToMany', 'post') },
      /inversedBy: names author\.posts, which has no mappedBy field/,
    ],
    [
      'an inverse that is not there',
      relation('manyToMany', 'author', { inversedBy: 'posts' }),
      {},
      /inversedBy: names posts, which is no attribute of author/,
    ],
    [
      'ends that disagree about deletion',
      relation('manyToOne', 'author', { inversedBy: 'posts', onDelete: 'CASCADE' }),
      { posts: relation('oneToMany', 'post', { mappedBy: 'field', onDelete: 'RESTRICT' }) },
      /which has onDelete RESTRICT, and this side CASCADE/,
    ],
  ]
  for (const [name, field, others, expected] of cases) {
    it(`refuse ${name}`, async () => {
      const problems = await problemsOf({
        'post.json': type('post', { field }),
        'author.json': type('author', others, {
          info: { singularName: 'author', pluralName: 'people', displayName: 'a' },
        }),
      })
      assert.match(
        problems.find((problem) => problem.includes('post.json')) ?? '',
        expected,
        problems.join('\n'),
      )
    })
  }

  it('are not blamed for what is wrong at their other end', async () => {
    const problems = await problemsOf({
      'post.json': type('post', {
        author: relation('manyToOne', 'author', { inversedBy: 'posts' }),
        tag: relation('manyToOne', 'tag'),
      }),
      'author.json': type('author', { posts: relation('oneToFew', 'post', { mappedBy: 'author' }) }),
      'tag.json': '{',
    })
    assert.equal(problems.length, 2, problems.join('\n'))
    assert.ok(
      problems.every((problem) => !problem.includes('post.json')),
      problems.join('\n'),
    )
  })
})

describe('components', () => {
  it('must be declared and must not hold themselves', async () => {
    const part = (uid: string) => ({ type: 'component', component: uid })
    await expectProblems(
      {
        'post.json': type('post', {
          seo: part('shared.soe'),
          zone: { type: 'dynamicZone', components: ['a.a', 'x.y'] },
        }),
        'components/shared.seo.json': component('shared.seo', {}),
        'components/a.a.json': component('a.a', { inner: part('a.b') }),
        'components/a.b.json': component('a.b', {
          zone: { type: 'dynamicZone', components: ['a.a'] },
          own: part('a.b'),
        }),
      },
      [
        /post\.json: attributes\.seo\.component: names shared\.soe, .* → did you mean shared\.seo\?/,
        /post\.json: attributes\.zone\.components\.1: names x\.y, .* → add components\/x\.y\.json/,
        /a\.b\.json: attributes\.zone: makes the component hold itself: a\.a → a\.b → a\.a/,
        /a\.b\.json: attributes\.own: makes the component hold itself: a\.b → a\.b/,
      ],
    )
  })

  it('cannot have what only columns have', async () => {
    const attributes = {
      id: { type: 'integer' },
      code: { type: 'string', unique: true, renamedFrom: 'code' },
      posts: {
        type: 'relation',
        relation: 'manyToMany',
        target: 'post',
        inversedBy: 'x',
        onDelete: 'CASCADE',
      },
      other: { type: 'relation', relation: 'manyToOne', target: 'pots' },
      locale: { type: 'string' },
    }
    await expectProblems(
      { 'components/a.a.json': component('a.a', attributes), 'post.json': type('post', {}) },
      [
        /attributes\.id: is a name that the service uses/,
        /attributes\.code\.unique: is not possible in a component/,
        /attributes\.posts\.inversedBy: is not possible in a component/,
        /attributes\.posts\.onDelete: is not possible in a component/,
        /attributes\.other\.target: names pots, .* → did you mean post\?/,
        /attributes\.code\.renamedFrom: is the same name/,
      ],
    )
  })
})

describe('indexes', () => {
  it('name fields that can be indexed so', async () => {
    const attributes = {
      title: { type: 'string' },
      body: { type: 'text' },
      data: { type: 'json' },
      rank: { type: 'integer' },
      long: { type: 'string', maxLength: 700 },
    }
    const indexes = [
      { fields: ['titel'], type: 'index' },
      { fields: ['body', 'data'], type: 'unique' },
      { fields: ['rank'], type: 'fulltext' },
      { fields: ['title', 'locale', 'published_at'], type: 'unique' },
      { fields: ['title', 'long'], type: 'index' },
    ]
    await expectProblems({ 'post.json': type('post', attributes, { indexes }) }, [
      /indexes\.0\.fields\.0: titel is no field of this type → did you mean title\?/,
      /indexes\.1\.fields\.0: body of type text cannot be indexed → use the type fulltext/,
      /indexes\.1\.fields\.1: data of type json cannot be indexed → leave it out/,
      /indexes\.2\.fields\.0: rank is no text/,
      /indexes\.3\.fields\.1: locale is no field of this type/,
      /indexes\.3\.fields\.2: published_at is no field of this type/,
      /indexes\.4\.fields: have up to 955 characters together/,
    ])
  })
})

describe('renamed attributes', () => {
  it('take over data that is there and free', async () => {
    const attributes = {
      title: { type: 'string', renamedFrom: 'Title' },
      heading: { type: 'string', renamedFrom: 'title' },
      first: { type: 'string', renamedFrom: 'name' },
      last: { type: 'string', renamedFrom: 'name' },
      links: { type: 'media', multiple: true, renamedFrom: 'files' },
      fans: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'fan',
        mappedBy: 'post',
        renamedFrom: 'people',
      },
    }
    const fan = type('fan', { post: { type: 'relation', relation: 'manyToOne', target: 'post' } })
    await expectProblems({ 'post.json': type('post', attributes), 'fan.json': fan }, [
      /attributes\.title\.renamedFrom: is the same name/,
      /attributes\.heading\.renamedFrom: names title, which is still an attribute/,
      /attributes\.last\.renamedFrom: names name, as first does/,
      /attributes\.links\.renamedFrom: is not possible, as links are kept in a table/,
      /attributes\.fans\.renamedFrom: is not possible, as the other side has the data/,
    ])
  })
})

describe('options', () => {
  it('name locales that are some, and a default among them', async () => {
    await expectProblems(
      {
        'a.json': type('a', {}, { options: { i18n: { locales: ['en', 'e!'] }, draftAndPublsh: true } }),
        'b.json': type('b', {}, { options: { i18n: { locales: ['en'], defaultLocale: 'de' } } }),
      },
      [
        /a\.json: options\.draftAndPublsh: .* → did you mean draftAndPublish\?/,
        /a\.json: options\.i18n: cannot be e!/,
        /b\.json: options\.i18n\.defaultLocale: is de, which is not among the locales → use one of en/,
      ],
    )
  })

  it('keep drafts beside published entries only, which say so under a name of their own', async () => {
    const overlay = { draftAndPublish: true, draftOverlay: true }
    await expectProblems(
      {
        'a.json': type('a', {}, { options: { draftOverlay: true } }),
        'b.json': type('b', { hasDraft: { type: 'boolean' } }, { options: overlay }),
        'c.json': type('c', {}, { options: overlay }),
        'd.json': type('d', { hasDraft: { type: 'boolean' } }, { options: { draftOverlay: false } }),
      },
      [
        /a\.json: options\.draftOverlay: is true, but .* → set options\.draftAndPublish to true/,
        /b\.json: attributes\.hasDraft: is a name that the service uses itself/,
      ],
    )
  })
})

describe('extensions of system types', () => {
  it('add attributes', async () => {
    const schemas = await load({
      'user.extension.json': { attributes: { nickname: { type: 'string' } } },
      'post.json': type('post', {}),
    })
    const user = schemas.allTypes.get('user')
    assert.ok(user?.attributes.has('nickname') && user.attributes.has('email'))
    assert.equal(schemas.types.has('user'), false)
  })

  it('can have private ones, if they are accounts', async () => {
    const secret = { type: 'string', private: true }
    const schemas = await load({ 'user.extension.json': { attributes: { secret } } })
    assert.equal(schemas.allTypes.get('user')?.attributes.get('secret')?.private, true)
    await expectProblems({ 'media.extension.json': { attributes: { secret } } }, [
      /media\.extension\.json: attributes\.secret\.private: is not a key/,
    ])
    await expectProblems({ 'post.json': type('post', { secret }) }, [
      /post\.json: attributes\.secret\.private: is not a key/,
    ])
  })

  it('cannot change what is built in, nor extend types that the project declares', async () => {
    await expectProblems(
      {
        'user.extension.json': {
          attributes: { email: { type: 'text' }, Username: { type: 'string' }, password: { type: 'string' } },
        },
        'post.extension.json': { attributes: {} },
        'media.extension.json': { attributes: { credit: { type: 'strng' } }, options: {} },
        'post.json': type('post', {}),
      },
      [
        /media\.extension\.json: options: is not a key/,
        /media\.extension\.json: attributes\.credit\.type: cannot be "strng" → did you mean string/,
        /post\.extension\.json: extends post, which schemas\/post\.json declares → add the attributes there/,
        /user\.extension\.json: attributes\.email: is built into user and cannot be changed/,
        /user\.extension\.json: attributes\.password: is a name that the service uses/,
        /user\.extension\.json: attributes\.Username: is stored under the same name as username/,
      ],
    )
  })
})

it('reports all problems of all files at once, those within one attribute included', async () => {
  await expectProblems(
    {
      'post.json': type('post', {
        a: { type: 'string', foo: 1, minLength: 5, maxLength: 2, default: 'x' },
        b: { type: 'relation', relation: 'manyToOne', target: 'nobody', bar: 1 },
      }),
      'components/x.y.json': component('x.y', { c: { type: 'enum', enum: ['a'], default: 'b' } }),
    },
    [
      /a\.foo: is not a key/,
      /b\.bar: is not a key/,
      /a\.minLength: is 5/,
      /a\.default: is "x"/,
      /b\.target: names nobody/,
      /x\.y\.json: attributes\.c\.default/,
    ],
  )
})
