import type { Client } from '../support/client.ts'

/** A sequence of numbers in [0, 1) that a seed repeats. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Of a type: where there are so many, one is deleted for each that is made. */
const mostEntries = 15

const words = ['apple', 'Äpfel', 'birch', 'cedar', 'elm', 'ELM', 'fir', 'oak']

/** A file, as a form sends it. */
const upload = {
  body: [
    '--x\r\ncontent-disposition: form-data; name="file"; filename="hello.txt"\r\n',
    'content-type: text/plain\r\n\r\nhello\r\n--x--\r\n',
  ].join(''),
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
}

export interface RandomWrites {
  /** Makes some entries of every type, most of them published. */
  fill(): Promise<void>
  /** Writes something, by chance. Resolves with its name and the status of its answer. */
  next(): Promise<string>
  /** Whether the time of a publication came, or is about to come, since a time (epoch milliseconds). */
  flippedSince(sinceMs: number): boolean
}

/** Writes of every kind, drawn by chance, each through one of the clients. */
export function createRandomWrites(random: () => number, clients: readonly Client[]): RandomWrites {
  const ids = new Map<string, number[]>(
    [...['author', 'tag', 'article', 'comment']].map((type) => [type, []]),
  )
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const client = () => pick(clients)
  const known = (type: string) => ids.get(type) as number[]
  const anyId = (type: string) => (known(type).length === 0 || random() < 0.15 ? null : pick(known(type)))
  const word = () => pick(words)
  const path = (type: string, rest = '') => `/api/content/${type}${rest}`

  const trashed: number[] = []
  let cover: number | null = null
  let account: number | null = null
  /** Names of accounts are unique. */
  let renamed = 0

  const values: Readonly<Record<string, () => Record<string, unknown>>> = {
    author: () => ({ name: word(), bio: `${word()} ${word()}`, mentor: anyId('author'), account }),
    tag: () => ({ label: word() }),
    comment: () => ({ text: word(), approved: random() < 0.5, article: anyId('article') }),
    article: () => ({
      title: word(),
      body: `<p>${word()} ${word()}</p>`,
      rank: random() < 0.2 ? null : Math.floor(random() * 5),
      price: pick(['1.10', '2.5', null]),
      day: pick(['2026-01-01', '2026-06-01', null]),
      featured: pick([true, false, null]),
      author: anyId('author'),
      tags: known('tag').filter(() => random() < 0.4),
      teasers: [{ text: word(), writer: anyId('author'), about: anyId('article') }],
      lead: pick([null, { text: word(), writer: anyId('author') }]),
      zone: pick([[], [{ __component: 'page.teaser', text: word(), about: anyId('article') }]]),
      facts: pick<unknown>([null, { height: Math.floor(random() * 5) }, { name: { first: word() } }, 3]),
      cover: random() < 0.3 ? null : cover,
    }),
  }
  const some = (all: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(all).filter(() => random() < 0.35))

  const forget = (type: string, id: number) => {
    const place = known(type).indexOf(id)
    if (place !== -1) known(type).splice(place, 1)
  }
  async function remove(type: string, id: number, more = '') {
    const answer = await client().delete(path(type, `/${id}${more}`))
    if (answer.status === 200 || answer.status === 404) forget(type, id)
    return answer
  }
  async function create(type: string) {
    if (known(type).length >= mostEntries) return remove(type, pick(known(type)))
    const answer = await client().post(path(type), values[type]?.())
    if (answer.status === 201) known(type).push(answer.body.data.id)
    return answer
  }
  /** Does the one, or the other if it is done. */
  function toggle(type: string, one: string, other: string) {
    const done = new Set<number>()
    return (id: number) => {
      const isDone = done.delete(id)
      if (!isDone) done.add(id)
      return client().put(path(type, `/${id}/${isDone ? one : other}`))
    }
  }
  const withId = (type: string, send: (id: number) => Promise<{ status: number }>) => async () => {
    const all = known(type)
    return all.length === 0 ? create(type) : send(pick(all))
  }
  const anyType = () => pick(['author', 'tag', 'article', 'comment', 'article'])
  const times: number[] = []
  const soon = () => {
    const at = Date.now() + 150 + random() * 300
    times.push(at)
    return new Date(at).toISOString()
  }

  const writes: Readonly<Record<string, () => Promise<{ status: number }>>> = {
    create: () => create(anyType()),
    'create article': () => create('article'),
    update: () => {
      const type = anyType()
      return withId(type, (id) => client().put(path(type, `/${id}`), some(values[type]?.() ?? {})))()
    },
    'update article': withId('article', (id) =>
      client().put(path('article', `/${id}`), some(values.article?.() ?? {})),
    ),
    publish: withId('article', (id) => client().put(path('article', `/${id}/publish`))),
    'publish tag': withId('tag', (id) => client().put(path('tag', `/${id}/publish`))),
    'publish later': withId('article', (id) =>
      client().put(path('article', `/${id}/publish`), { publishedAt: soon() }),
    ),
    unpublish: withId('article', (id) => client().put(path('article', `/${id}/unpublish`))),
    'unpublish tag': withId('tag', (id) => client().put(path('tag', `/${id}/unpublish`))),
    discard: withId('article', (id) => client().delete(path('article', `/${id}/draft`))),
    localize: withId('article', (id) =>
      client()
        .post(path('article', `/${id}/localizations`), { locale: 'de', title: word(), body: word() })
        .then((answer) => {
          if (answer.status === 201) known('article').push(answer.body.data.id)
          return answer
        }),
    ),
    'toggle tag': withId('tag', toggle('tag', 'publish', 'unpublish')),
    'toggle tag again': withId('tag', toggle('tag', 'publish', 'unpublish')),
    'toggle article': withId('article', toggle('article', 'publish', 'unpublish')),
    'rename author': withId('author', (id) => client().put(path('author', `/${id}`), { name: word() })),
    'rank article': withId('article', (id) =>
      client().put(path('article', `/${id}`), { rank: Math.floor(random() * 5) }),
    ),
    'edit and publish': withId('article', async (id) => {
      await client().put(path('article', `/${id}`), {
        rank: Math.floor(random() * 5),
        author: anyId('author'),
      })
      return client().put(path('article', `/${id}/publish`))
    }),
    'write parts and publish': withId('article', async (id) => {
      const { teasers, lead, zone, facts } = values.article?.() ?? {}
      await client().put(path('article', `/${id}`), { teasers, lead, zone, facts })
      return client().put(path('article', `/${id}/publish`))
    }),
    comment: () => create('comment'),
    'edit comment': withId('comment', (id) => client().put(path('comment', `/${id}`), { text: word() })),
    'move comment': withId('comment', (id) =>
      client().put(path('comment', `/${id}`), { article: anyId('article') }),
    ),
    'localize again': withId('article', async (id) => {
      const made = await client().post(path('article', `/${id}/localizations`), {
        locale: 'de',
        title: word(),
      })
      return made.status === 201 ? client().put(path('article', `/${made.body.data.id}/publish`)) : made
    }),
    trash: withId('article', async (id) => {
      const answer = await remove('article', id)
      if (answer.status === 200) trashed.push(id)
      return answer
    }),
    async restore() {
      const id = trashed.pop()
      if (id === undefined) return { status: 0 }
      const answer = await client().post(path('article', `/${id}/restore`))
      if (answer.status === 200) known('article').push(id)
      return answer
    },
    purge: withId('article', (id) => remove('article', id, '?permanent=true')),
    delete: () => {
      const type = pick(['author', 'tag', 'comment'])
      return withId(type, (id) => remove(type, id))()
    },
    link: withId('article', (id) => client().post(path('article', `/${id}/link/tags`), { id: anyId('tag') })),
    unlink: withId('article', (id) =>
      client().delete(path('article', `/${id}/unlink/tags`), { id: anyId('tag') }),
    ),
    'bulk update': () =>
      client().patch(path('comment', '/bulk-update'), {
        ids: known('comment').slice(-3),
        data: { approved: random() < 0.5 },
      }),
    'restore a revision': withId('article', async (id) => {
      const { status, body } = await client().get(path('article', `/${id}/revisions?limit=5&data=false`))
      if (status !== 200 || body.data.length === 0) return { status }
      return client().post(path('article', `/${id}/revisions/${pick<{ id: number }>(body.data).id}/restore`))
    }),
    release: withId('article', async (entryId) => {
      const made = await client().post('/api/admin/content-releases', { name: word() })
      if (made.status !== 201) return made
      const release = `/api/admin/content-releases/${made.body.data.id}`
      const action = pick(['publish', 'unpublish'])
      await client().post(`${release}/entries`, { contentType: 'article', entryId, action })
      return client().post(`${release}/publish`)
    }),
    'describe a file': async () =>
      cover === null ? { status: 0 } : client().put(`/api/media/${cover}`, { alt: word() }),
    'rename a user': async () => {
      if (account === null) return { status: 0 }
      return client().put(`/api/admin/content-users/${account}`, { username: `somebody-${renamed++}` })
    },
    home: () => client().put(path('home'), { title: word(), lead: anyId('article') }),
    'publish home': () => client().put(path('home', '/1/publish')),
    graphql: withId('author', (id) =>
      client().post('/api/graphql', {
        query:
          'mutation ($id: ID!, $name: String!) { updateAuthor(id: $id, data: { name: $name }) { data { id } } }',
        variables: { id, name: word() },
      }),
    ),
  }
  const names = Object.keys(writes)
  return {
    async fill() {
      cover = (await client().request('POST', '/api/upload', upload)).body.data.id
      const user = { username: 'somebody', email: 'somebody@example.com', password: 'correct horse battery' }
      account = (await client().post('/api/admin/content-users', { ...user, role: 'authenticated' })).body
        .data.id
      for (const type of [
        'author',
        'author',
        'tag',
        'tag',
        'article',
        'article',
        'article',
        'comment',
        'comment',
      ]) {
        await create(type)
      }
      for (const id of known('tag')) await client().put(path('tag', `/${id}/publish`))
      for (const id of known('article')) await client().put(path('article', `/${id}/publish`))
      await client().put(path('home'), { title: word(), lead: known('article')[0] })
      await client().put(path('home', '/1/publish'))
    },
    async next() {
      const name = pick(names)
      const { status } = (await writes[name]?.()) ?? { status: 0 }
      return `${name} ${status}`
    },
    flippedSince: (sinceMs) => times.some((at) => at >= sinceMs - 50 && at <= Date.now() + 50),
  }
}

/** What is read over and over, with every parameter that an answer may depend on. */
export const reads: readonly string[] = [
  '/api/content/article',
  '/api/content/article?fields=title,rank&sort=rank:desc',
  '/api/content/article?fields=title&sort=title&limit=2&offset=1',
  '/api/content/article?fields=title&sort=rank:desc',
  '/api/content/author?fields=bio&sort=name',
  '/api/content/comment?fields=approved&sort=text',
  '/api/content/article?fields=title&populate=comments&total=false',
  '/api/content/article/1?populate=comments',
  '/api/content/article?fields=tags',
  '/api/content/article?fields=title&total=false&sort=id&populate=author',
  '/api/content/article/1?fields=tags',
  '/api/content/article/3?locale=de&fallback=true',
  '/api/content/comment?fields=article',
  '/api/content/home?fields=lead',
  '/api/content/author/2?populate=articles&fields=name',
  '/api/content/article?filters[author][name][$contains]=l&fields=title',
  '/api/content/article?filters[rank][$gt]=1&fields=title',
  '/api/content/article?filters[rank][$between]=1,3&total=false',
  '/api/content/article?filters[rank][$null]=true',
  '/api/content/article?filters[title][$contains]=pp',
  '/api/content/article?filters[title][$eqi]=elm',
  '/api/content/article?filters[$or][0][featured]=true&filters[$or][1][price][$gt]=2',
  '/api/content/article?filters[day][$lt]=2026-03-01&sort=day,price:desc',
  '/api/content/article?filters[$not][featured]=true&fields=title,featured',
  '/api/content/article?filters[author]=1',
  '/api/content/article?filters[author][name][$startsWith]=e',
  '/api/content/article?filters[tags][label]=oak&fields=title,tags',
  '/api/content/article?filters[comments][approved]=true&fields=title',
  '/api/content/article?filters[teasers][text][$contains]=e&fields=title',
  '/api/content/article?filters[teasers][writer][name][$startsWith]=e&fields=title',
  '/api/content/article?filters[teasers][about][rank][$gt]=1&fields=title&total=false',
  '/api/content/article?filters[lead][writer][$null]=true&fields=title',
  '/api/content/article?filters[lead][text][$ne]=oak&fields=title',
  '/api/content/article?filters[lead][$null]=true&fields=title',
  '/api/content/article?filters[teasers][$null]=true&fields=title',
  '/api/content/article?filters[zone][$null]=false&fields=title',
  '/api/content/article?filters[zone][page.teaser][about][title]=elm&fields=title',
  '/api/content/article?filters[facts][height][$gt]=1&fields=title',
  '/api/content/article?filters[facts][name][first][$ne]=oak&fields=title',
  '/api/content/article?filters[facts][height][$null]=true&fields=title',
  '/api/content/comment?filters[article][teasers][text]=oak',
  '/api/content/article?sort=author.name:desc&fields=title',
  '/api/content/comment?sort=article.title,text&fields=text&limit=4',
  '/api/content/article?populate=author,tags',
  '/api/content/article?populate=author.mentor,comments,teasers.writer&limit=3',
  '/api/content/article?locale=de&fields=title',
  '/api/content/article?locale=de&fallback=true&populate=teasers.about,lead.about&fields=title',
  '/api/content/comment?locale=de&populate=article&fields=text',
  '/api/content/home?locale=de&populate=lead',
  '/api/content/author?locale=de&populate[articles][fields]=title&populate[articles][total]=true&fields=name',
  '/api/content/author/1?locale=de&populate=articles.comments',
  '/api/content/article?locale=de&fallback=true&fields=title',
  '/api/content/article?locale=de&fallback=true&filters[rank][$gte]=2',
  '/api/content/article?published=true&fields=title',
  '/api/content/article?search=oak',
  '/api/content/article?cursor=&sort=rank&limit=2',
  '/api/content/article/1',
  '/api/content/article/2?fields=title',
  '/api/content/article/2?locale=de',
  '/api/content/article/3?populate=*',
  '/api/content/author?populate=articles',
  '/api/content/author?filters[articles][rank][$gt]=2',
  '/api/content/author/1?populate=articles,mentor',
  '/api/content/comment?populate=article&fields=text',
  '/api/content/comment?filters[approved]=true&sort=text',
  '/api/content/tag?sort=label',
  '/api/content/article?populate=cover&fields=title',
  '/api/content/article/1?populate=cover',
  '/api/content/author?populate=account&fields=name',
  '/api/content/home?populate=lead',
  '/api/content/home?populate=lead.author',
  '/api/content/article/aggregate?function=count',
  '/api/content/article/aggregate?function=sum&field=rank&groupBy[]=author',
  '/api/content/article/distinct?field=author.name,author',
  '/api/search?q=oak',
  `/api/graphql?query=${encodeURIComponent('{ articles(sort: "rank:desc", limit: 3) { data { title author { name } tags { label } } pagination { total } } }')}`,
  `/api/graphql?query=${encodeURIComponent('{ one: article(id: 1) { data { ...Shown } } two: article(id: 2, locale: "de") { data { ...Shown } } } fragment Shown on Article { title author { ... on Author { name } } }')}`,
  `/api/graphql?query=${encodeURIComponent('{ authors { data { name articles(limit: 2, sort: "title:asc") { title rank comments(sort: "article.title") { text } } } } home { data { title lead { title } } } }')}`,
]
