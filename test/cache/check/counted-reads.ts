import type { AnyJson } from '../../../testing/client.ts'
import { type CountedWorld, lowestRank } from './counted-world.ts'
import type { Read } from './reader.ts'
import type { Register } from './register.ts'

type Count = number | undefined

/** Is told what an answer shows. */
export interface Sight {
  /** It shows a value of this kind. */
  shows(register: Register<Count>, what: string, isShown: (value: Count) => boolean): void
  /** It shows the sum of something of all of them. */
  adds(registers: readonly Register<Count>[], what: string, of: (value: Count) => number, sum: number): void
}

/** A read that tells of counted entries. */
export interface CountedRead extends Read {
  readonly callers: readonly string[]
  /** @param body undefined where the answer is 404 */
  look(body: AnyJson, sight: Sight): void
}

/** Who sees what is published, and no more. */
const publicCallers = ['anonymous', 'user', 'token']
const everybody = [...publicCallers, 'drafts', 'writer', 'editor']

const graphqlGet = (query: string): Read => ({ path: `/api/graphql?query=${encodeURIComponent(query)}` })
const graphqlPost = (query: string): Read => ({ path: '/api/graphql', query })

/** What is read of a counted world, in all the ways. */
export function countedReadsOf({ authors, articles, comments }: CountedWorld): readonly CountedRead[] {
  const counted = (name: unknown): Count => (typeof name === 'string' ? Number(name.slice(2)) : undefined)
  const shownBy = (rows: AnyJson, of: (row: AnyJson) => Count) =>
    new Map<number, Count>(rows.map((row: AnyJson) => [Number(row.id), of(row)]))

  function lookAtAuthors(rows: AnyJson, sight: Sight): void {
    const shown = shownBy(rows, ({ name }) => counted(name))
    for (const { id, register } of authors)
      sight.shows(register, `author ${id}`, (value) => value === shown.get(id))
  }
  function lookAtArticles(
    rows: AnyJson,
    sight: Sight,
    select: (value: Count) => Count = (value) => value,
  ): void {
    const shown = shownBy(rows, ({ rank }) => rank)
    for (const { id, register } of articles) {
      sight.shows(register, `article ${id}`, (value) => select(value) === shown.get(id))
    }
  }
  function lookAtComments(rows: AnyJson, sight: Sight): void {
    const shown = new Map<number, number>(
      rows.map(({ text }: AnyJson) => text.slice(2).split('.').map(Number)),
    )
    for (const [key, { register }] of comments)
      sight.shows(register, `comment ${key}`, (value) => value === shown.get(key))
  }
  function lookAtArticle(id: number, row: AnyJson, sight: Sight): void {
    const { register } = articles.find((each) => each.id === id) as (typeof articles)[number]
    sight.shows(register, `article ${id}`, (value) => value === row?.rank)
    const author = authors.find((each) => each.id === Number(row?.author?.id))
    if (author === undefined) return
    sight.shows(author.register, `author ${author.id}`, (value) => value === counted(row.author.name))
  }
  const isOdd = (value: Count) => (value !== undefined && value % 2 === 1 ? value : undefined)
  const ranked = `filters[rank][$gte]=${lowestRank}`
  const registers = articles.map(({ register }) => register)

  return [
    {
      path: '/api/content/author?filters[name][$startsWith]=n-&fields=name&limit=100',
      callers: everybody,
      look: ({ data }, sight) => lookAtAuthors(data, sight),
    },
    {
      path: '/api/content/author?sort=id&limit=5&total=false&populate=articles',
      callers: everybody,
      look: ({ data }, sight) => lookAtAuthors(data, sight),
    },
    {
      path: '/api/content/comment?filters[text][$startsWith]=n-&fields=text&limit=100',
      callers: everybody,
      look: ({ data }, sight) => lookAtComments(data, sight),
    },
    {
      path: '/api/content/comment?filters[text][$startsWith]=n-&populate=article&sort=text:desc&limit=100',
      callers: everybody,
      look: ({ data }, sight) => lookAtComments(data, sight),
    },
    {
      path: `/api/content/article?${ranked}&fields=rank&sort=rank:desc&limit=100`,
      callers: publicCallers,
      look: ({ data }, sight) => lookAtArticles(data, sight),
    },
    {
      path: `/api/content/article?${ranked}&filters[featured]=true&fields=rank&limit=100`,
      callers: publicCallers,
      look: ({ data }, sight) => lookAtArticles(data, sight, isOdd),
    },
    {
      path: `/api/content/article/aggregate?function=count&${ranked}`,
      callers: publicCallers,
      look: ({ data }, sight) =>
        sight.adds(registers, 'count', (value) => (value === undefined ? 0 : 1), data.value),
    },
    {
      path: `/api/content/article/aggregate?function=sum&field=rank&${ranked}`,
      callers: publicCallers,
      look: ({ data }, sight) => sight.adds(registers, 'sum', (value) => value ?? 0, data.value ?? 0),
    },
    {
      path: '/api/search?q=counted&types=article&limit=100',
      callers: publicCallers,
      look: ({ data }, sight) =>
        lookAtArticles(
          data.map(({ entry }: AnyJson) => entry),
          sight,
        ),
    },
    {
      ...graphqlGet(`{ articles(sort: "rank:desc", limit: 100) { data { id rank } } }`),
      callers: publicCallers,
      look: ({ data }, sight) => lookAtArticles(data.articles.data, sight),
    },
    {
      ...graphqlPost(`{ authors(sort: "id", limit: 5) { data { id name } } }`),
      callers: everybody,
      look: ({ data }, sight) => lookAtAuthors(data.authors.data, sight),
    },
    ...authors.map(({ id }) => ({
      path: `/api/content/author/${id}`,
      callers: everybody,
      look: ({ data }: AnyJson, sight: Sight) =>
        sight.shows(
          authors.find((each) => each.id === id)?.register as Register<Count>,
          `author ${id}`,
          (value) => value === counted(data.name),
        ),
    })),
    ...articles.map(({ id }) => ({
      path: `/api/content/article/${id}?populate=author`,
      callers: publicCallers,
      look: (body: AnyJson, sight: Sight) => lookAtArticle(id, body?.data, sight),
    })),
    ...articles.slice(0, 3).map(({ id }) => ({
      ...graphqlPost(`{ article(id: ${id}) { data { id rank author { id name } } } }`),
      callers: publicCallers,
      look: ({ data }: AnyJson, sight: Sight) => lookAtArticle(id, data.article?.data, sight),
    })),
  ]
}
