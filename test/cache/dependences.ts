import { expectStatus } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'

/** A read that is kept, and a write of something else that makes it wrong. */
export interface Dependence {
  readonly caller: string
  readonly read: string
  readonly write: (admin: Client) => Promise<unknown>
}

/** What the dependences are about, by name: ids. */
export interface Subjects {
  readonly author: number
  readonly tag: number
  readonly article: number
  readonly draft: number
  readonly trashed: number
  /** Only in the default language. */
  readonly pages: readonly [number, number]
  /** Names it, and who is gone, inside a component. */
  readonly holder: number
  readonly gone: number
}

const path = (type: string, rest: number | string = '') =>
  `/api/content/${type}${rest === '' ? '' : `/${rest}`}`

const graphql = (query: string) => `/api/graphql?query=${encodeURIComponent(query)}`

/** Makes entries that are in none of the other lists. */
export async function createSubjects(admin: Client): Promise<Subjects> {
  const create = async (type: string, data: object): Promise<number> =>
    expectStatus(await admin.post(path(type), data), 201).body.data.id
  const author = await create('author', { name: 'mm' })
  const tag = await create('tag', { label: 'subject' })
  const article = await create('article', { title: 'subject', body: '', author, tags: [tag], rank: 2 })
  const draft = await create('article', { title: 'draft', body: '' })
  const trashed = await create('article', { title: 'trashed', body: '' })
  await create('comment', { text: 'subject', article })
  const gone = await create('author', { name: 'gone' })
  const teasers = [{ text: 'about', about: trashed, writer: gone }]
  const holder = await create('article', { title: 'holder', teasers })
  const pages = [
    await create('page', { title: 'filtered' }),
    await create('page', { title: 'found' }),
  ] as const
  await create('author', { name: 'nn' })
  expectStatus(await admin.put(path('tag', `${tag}/publish`)), 200)
  expectStatus(await admin.put(path('article', `${article}/publish`)), 200)
  for (const id of pages) expectStatus(await admin.put(path('page', `${id}/publish`)), 200)
  expectStatus(await admin.delete(path('article', trashed)), 200)
  return { author, tag, article, draft, trashed, pages, holder, gone }
}

/** Makes a version in the other language, and publishes it. */
async function translate(admin: Client, page: number): Promise<void> {
  const made = await admin.post(path('page', `${page}/localizations`), { locale: 'de', title: 'anders' })
  expectStatus(await admin.put(path('page', `${expectStatus(made, 201).body.data.id}/publish`)), 200)
}

/** By what changes. */
export function dependencesOf({
  author,
  tag,
  article,
  draft,
  trashed,
  pages,
  holder,
  gone,
}: Subjects): Record<string, Dependence> {
  const anonymous = 'anonymous'
  // Late enough for a reader to see that the entry is away until then, on a busy machine, too.
  const soon = () => new Date(Date.now() + 2_000).toISOString()
  return {
    'who refers to it': {
      caller: anonymous,
      read: path('article', `${article}?populate=comments`),
      write: (admin) => admin.post(path('comment'), { text: 'new', article }),
    },
    'how many refer to it, whatever is shown of them': {
      caller: anonymous,
      read: path('article', `${article}?populate[comments][limit]=0&populate[comments][total]=true`),
      write: (admin) => admin.post(path('comment'), { text: 'another', article }),
    },
    'which of those that refer to it are picked': {
      caller: anonymous,
      read: path(
        'article',
        `${article}?populate[comments][filters][text]=picked&populate[comments][fields]=id`,
      ),
      write: (admin) => admin.post(path('comment'), { text: 'picked', article }),
    },
    'which of those that it names are picked': {
      caller: anonymous,
      read: path('article', `${article}?populate[tags][filters][label]=renamed&populate[tags][fields]=id`),
      write: (admin) => admin.put(path('tag', tag), { label: 'renamed' }),
    },
    'how many of those that it names are picked': {
      caller: anonymous,
      read: graphql(
        `{ article(id: ${article}) { data { tags_total(filters: { label: { eq: "counted" } }) } } }`,
      ),
      write: (admin) => admin.put(path('tag', tag), { label: 'counted' }),
    },
    'what it shows inside': {
      caller: anonymous,
      read: path('article', `${article}?populate=author`),
      write: (admin) => admin.put(path('author', author), { name: 'll' }),
    },
    'the order, by what it does not show': {
      caller: anonymous,
      read: `${path('author')}?fields=bio&sort=name`,
      write: (admin) => admin.put(path('author', author), { name: 'zz' }),
    },
    'what a filter asks of others': {
      caller: anonymous,
      read: `${path('article')}?filters[author][name]=zz&fields=title`,
      write: (admin) => admin.put(path('author', author), { name: 'yy' }),
    },
    'that an entry it names is hidden': {
      caller: anonymous,
      read: path('article', `${article}?fields=tags`),
      write: (admin) => admin.put(path('tag', `${tag}/unpublish`)),
    },
    'that an entry it names is no longer hidden': {
      caller: anonymous,
      read: path('article', `${article}?fields=tags`),
      write: (admin) => admin.put(path('tag', `${tag}/publish`)),
    },
    'that a draft it names is back from the trash': {
      caller: 'drafts',
      read: path('article', `${holder}?fields=teasers`),
      write: (admin) => admin.post(path('article', `${trashed}/restore`)),
    },
    'that an entry it names inside a component is deleted': {
      caller: 'drafts',
      read: path('article', `${holder}?fields=teasers`),
      write: (admin) => admin.delete(path('author', gone)),
    },
    'the version that is shown instead, in a list': {
      caller: anonymous,
      read: `${path('article')}?locale=de&fallback=true&fields=title`,
      async write(admin) {
        const made = await admin.post(path('article', `${article}/localizations`), {
          locale: 'de',
          title: 'neu',
          body: '',
        })
        await admin.put(path('article', `${expectStatus(made, 201).body.data.id}/publish`))
      },
    },
    'a version that is not in the list itself, and takes another one out of it': {
      caller: anonymous,
      read: `${path('page')}?locale=de&fallback=true&filters[title]=filtered&fields=title`,
      write: (admin) => translate(admin, pages[0]),
    },
    'the version that is shown instead, of one that refers to nothing': {
      caller: anonymous,
      read: path('page', `${pages[1]}?locale=de&fallback=true`),
      write: (admin) => translate(admin, pages[1]),
    },
    'the version that is shown instead, of one that is a draft': {
      caller: 'drafts',
      read: path('article', `${draft}?locale=de&fallback=true&fields=title`),
      write: (admin) =>
        admin.post(path('article', `${draft}/localizations`), { locale: 'de', title: 'Entwurf', body: '' }),
    },
    'a number among those that are added up': {
      caller: anonymous,
      read: path('article', 'aggregate?function=sum&field=rank'),
      async write(admin) {
        await admin.put(path('article', article), { rank: 50 })
        await admin.put(path('article', `${article}/publish`))
      },
    },
    'that an entry is not there, which GraphQL answers with null': {
      caller: anonymous,
      read: graphql(`{ article(id: ${draft}) { data { title } } }`),
      write: (admin) => admin.put(path('article', `${draft}/publish`)),
    },
    'that there is no version in a language, which GraphQL answers with null': {
      caller: anonymous,
      read: graphql(`{ article(id: ${holder}, locale: "de") { data { title } } }`),
      async write(admin) {
        await admin.put(path('article', `${holder}/publish`))
        const made = await admin.post(path('article', `${holder}/localizations`), {
          locale: 'de',
          title: 'de',
        })
        await admin.put(path('article', `${expectStatus(made, 201).body.data.id}/publish`))
      },
    },
    'what is asked in a fragment': {
      caller: anonymous,
      read: graphql(
        `{ article(id: ${article}) { data { ...Shown } } } fragment Shown on Article { author { ... on Author { name } } }`,
      ),
      write: (admin) => admin.put(path('author', author), { name: 'in a fragment' }),
    },
    'each of several fields of a query': {
      caller: anonymous,
      read: graphql(
        `{ tag(id: ${tag}) { data { label } } some: authors(filters: { name: { eq: "once" } }) { ...Page } } fragment Page on AuthorPage { data { id } }`,
      ),
      write: (admin) => admin.put(path('author', author), { name: 'once' }),
    },
    'that the time of a publication comes': {
      caller: anonymous,
      read: `${path('article')}?fields=title&total=false`,
      async write(admin) {
        await admin.put(path('article', `${draft}/unpublish`))
        await admin.put(path('article', `${draft}/publish`), { publishedAt: soon() })
      },
    },
  }
}
