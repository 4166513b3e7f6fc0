import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Client } from '../../support/client.ts'
import { Register } from './register.ts'

/** An author with `n-<count>` as its name, or an article with a count as its rank; undefined: nobody may see it. */
type Count = number | undefined

/** What one writer at a time changes. */
interface Entity {
  id: number
  readonly register: Register<Count>
  isBusy: boolean
}

const authorCount = 5
const articleCount = 6
const mostComments = 8
/** Ranks of entries that others write are below. */
export const lowestRank = 1_000
const scheduledAfterMs = 400
/** A process is gone while it starts anew. */
const betweenAttemptsMs = 100

/** Entries whose every version is known, with the times at which it came. */
export interface CountedWorld {
  readonly authors: readonly Entity[]
  readonly articles: readonly Entity[]
  /** By the number in `n-<number>.<count>`, their text; those that are gone stay for a while. */
  readonly comments: ReadonlyMap<number, Entity>
  /** Changes something, by chance; resolves when that is known to have happened. */
  write(): Promise<void>
  /** What a backup that is made now has in it: the function is told when it begins to be restored. */
  remember(): () => { done(): void }
}

/** @param client of an administrator, in any process; its answers have the status 0 where none came */
export async function createCountedWorld(random: () => number, client: Client): Promise<CountedWorld> {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const path = (type: string, rest: number | string = '') => `/api/content/${type}${rest && `/${rest}`}`
  let count = lowestRank
  let comment = 0

  /** Until there is an answer that tells what has become of it. All that is sent may be sent twice. */
  async function insist(method: string, to: string, body?: unknown): Promise<Answer> {
    for (;;) {
      const answer = await client.request(method, to, { body })
      if (answer.status !== 0 && answer.status < 500) return answer
      await delay(betweenAttemptsMs)
    }
  }
  async function mustBe(status: number, sent: Promise<Answer>): Promise<Answer> {
    const answer = await sent
    if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const make = async (type: string, data: object): Promise<number> =>
    (await mustBe(201, insist('POST', path(type), data))).body.data.id
  const entity = (id: number, value: Count): Entity => ({
    id,
    register: new Register(value),
    isBusy: false,
  })

  /** Sends what gives registers a value. */
  async function change(
    entities: readonly Entity[],
    value: Count,
    send: () => Promise<Answer>,
    comesMs?: number,
  ) {
    const writes = entities.map(({ register }) => register.begin(value, comesMs))
    const { status } = await send()
    for (const write of writes) status < 300 ? write.done() : write.refused()
  }

  const authors: Entity[] = []
  for (let index = 0; index < authorCount; index++) {
    authors.push(entity(await make('author', { name: `n-${count}` }), count++))
  }
  const articles: Entity[] = []
  for (let index = 0; index < articleCount; index++) {
    const author = pick(authors).id
    const values = { rank: count, featured: count % 2 === 1, author }
    const id = await make('article', { title: `counted ${index}`, body: '', ...values })
    await mustBe(200, insist('PUT', path('article', `${id}/publish`)))
    articles.push(entity(id, count++))
  }
  const comments = new Map<number, Entity>()

  const name = (value: number) => ({ name: `n-${value}` })
  const edit = ({ id }: Entity, value: number) =>
    insist('PUT', path('article', id), { rank: value, featured: value % 2 === 1 })

  /** It is busy still. */
  async function addComment(article: number): Promise<Entity> {
    const key = comment++
    const one: Entity = { id: 0, register: new Register<Count>(undefined), isBusy: true }
    comments.set(key, one)
    const write = one.register.begin(0)
    const text = `n-${key}.0`
    const first = await client.post(path('comment'), { text, article })
    // It may have been written although no answer came.
    one.id = first.status === 201 ? first.body.data.id : await findOrMake(text, article)
    write.done()
    return one
  }
  async function findOrMake(text: string, article: number): Promise<number> {
    await delay(betweenAttemptsMs)
    const found = await mustBe(200, insist('GET', `${path('comment')}?filters[text]=${text}`))
    return found.body.data[0]?.id ?? (await make('comment', { text, article }))
  }

  const ofAuthor: readonly ((one: Entity, value: number) => Promise<void>)[] = [
    (one, value) => change([one], value, () => insist('PUT', path('author', one.id), name(value))),
    (one, value) =>
      change([one], value, () =>
        insist('POST', '/api/graphql', {
          query: `mutation { updateAuthor(id: ${one.id}, data: { name: "n-${value}" }) { data { id } } }`,
        }),
      ),
    async (one, value) => {
      const both = [one, ...authors.filter((other) => !other.isBusy).slice(0, 1)]
      await holding(both.slice(1), () =>
        change(both, value, () =>
          insist('PATCH', path('author', 'bulk-update'), {
            ids: both.map(({ id }) => id),
            data: name(value),
          }),
        ),
      )
    },
    async (one) => {
      const revisions = path('author', `${one.id}/revisions`)
      const { body } = await mustBe(200, insist('GET', `${revisions}?limit=5`))
      const revision = pick<{ id: number; data: { name: string } }>(body.data)
      const value = Number(revision.data.name.slice(2))
      await change([one], value, () => insist('POST', `${revisions}/${revision.id}/restore`))
    },
  ]

  const ofArticle: readonly ((one: Entity, value: number) => Promise<void>)[] = [
    async (one, value) => {
      await mustBe(200, edit(one, value))
      await change([one], value, () => insist('PUT', path('article', `${one.id}/publish`)))
    },
    async (one, value) => {
      await mustBe(200, edit(one, value))
      const { id } = (await mustBe(201, insist('POST', '/api/admin/content-releases', { name: 'counted' })))
        .body.data
      const release = `/api/admin/content-releases/${id}`
      const item = { contentType: 'article', entryId: one.id, action: 'publish' }
      await insist('POST', `${release}/entries`, item)
      await change([one], value, () => insist('POST', `${release}/publish`))
    },
    async (one) => change([one], undefined, () => insist('PUT', path('article', `${one.id}/unpublish`))),
    async (one, value) => {
      await change([one], undefined, () => insist('PUT', path('article', `${one.id}/unpublish`)))
      await mustBe(200, edit(one, value))
      const atMs = Math.ceil(Date.now()) + scheduledAfterMs
      const comesMs = performance.now() + (atMs - (performance.timeOrigin + performance.now()))
      const publishedAt = new Date(atMs).toISOString()
      await change(
        [one],
        value,
        () => insist('PUT', path('article', `${one.id}/publish`), { publishedAt }),
        comesMs,
      )
      await delay(Math.max(0, comesMs - performance.now()) + 5)
    },
  ]

  const ofComment: readonly (() => Promise<void>)[] = [
    async () => {
      const one = await addComment(pick(articles).id)
      one.isBusy = false
    },
    () =>
      withComment(async (one, key) => {
        const value = (one.register.newest ?? 0) + 1
        await change([one], value, () =>
          insist('PUT', path('comment', one.id), { text: `n-${key}.${value}` }),
        )
      }),
    () => withComment((one) => removed([one], () => insist('DELETE', path('comment', one.id)))),
    // It goes with the article that it is about.
    async () => {
      const article = await make('article', { title: 'goes', body: '' })
      const one = await addComment(article)
      await holding([one], () =>
        removed([one], () => insist('DELETE', `${path('article', article)}?permanent=true`)),
      )
    },
  ]

  /** What is gone already, since an answer was lost, is gone, too. */
  async function removed(entities: readonly Entity[], send: () => Promise<Answer>): Promise<void> {
    const writes = entities.map(({ register }) => register.begin(undefined))
    await send()
    for (const write of writes) write.done()
  }
  async function withComment(work: (one: Entity, key: number) => Promise<void>): Promise<void> {
    const live = [...comments].filter(([, one]) => !one.isBusy && one.register.newest !== undefined)
    if (live.length === 0) return
    const [key, one] = pick(live)
    await holding([one], () => work(one, key))
  }
  async function holding(entities: readonly Entity[], work: () => Promise<void>): Promise<void> {
    for (const each of entities) each.isBusy = true
    try {
      await work()
    } finally {
      for (const each of entities) each.isBusy = false
    }
  }
  /** Forgets comments that are long gone. */
  function forgetComments(): void {
    for (const [key, { register, isBusy }] of comments) {
      if (comments.size <= 4 * mostComments) return
      if (!isBusy && register.newest === undefined) comments.delete(key)
    }
  }

  async function write(): Promise<void> {
    const draw = random()
    if (draw < 0.3) {
      forgetComments()
      const live = [...comments.values()].filter(({ register }) => register.newest !== undefined)
      return (live.length > mostComments ? ofComment[2] : pick(ofComment))?.()
    }
    const [entities, kinds] = draw < 0.65 ? ([authors, ofAuthor] as const) : ([articles, ofArticle] as const)
    const idle = entities.filter(({ isBusy }) => !isBusy)
    if (idle.length === 0) return
    const one = pick(idle)
    await holding([one], () => pick(kinds)(one, ++count))
  }

  function remember() {
    const values = new Map([...authors, ...articles].map((one) => [one, one.register.newest]))
    const texts = new Map([...comments].map(([key, one]) => [key, one.register.newest]))
    return () => {
      const writes = [...values].map(([one, value]) => one.register.begin(value))
      for (const [key, one] of comments) writes.push(one.register.begin(texts.get(key)))
      return {
        done() {
          for (const each of writes) each.done()
        },
      }
    }
  }

  return { authors, articles, comments, write, remember }
}
