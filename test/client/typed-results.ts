import { createClient, type MortiseError, type Populate, type Result } from 'mortise-client'
import type { ArticleShape, ContentTypes, CountryShape } from '../../examples/countries/content-types.ts'

/*
 * Nothing of this runs: the compiler checks it (`npm run check`). Each `@ts-expect-error` is a mistake that it has to find,
 * and each `equal` a type that has to be exactly that.
 */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Takes a value whose type is exactly `Expected`. */
function equal<Expected>() {
  return <Actual>(_actual: Actual, _isEqual: Equal<Actual, Expected>): void => undefined
}

const client = createClient<ContentTypes>({ url: 'http://localhost:2102', token: () => 'x' })
const articles = client.collection('article')
const countries = client.collection('country')

export async function idsUnlessPopulated() {
  const article = await articles.get(1)
  equal<number | null>()(article.author, true)
  equal<number[]>()(article.categories, true)
  equal<number | null>()(article.cover, true)
  equal<string>()(article.title, true)
  equal<string | null>()(article.published_at, true)
  equal<number | null>()((await client.collection('region').get(1)).parent, true)
  // @ts-expect-error the other side of a relation is there only when it is populated
  void (await client.collection('author').get(1)).articles
  // @ts-expect-error there is no such field
  void article.titel
}

export async function objectsWherePopulated() {
  const article = await articles.get(1, { populate: { author: { avatar: true }, categories: true } })
  equal<string | undefined>()(article.author?.name, true)
  equal<string | undefined>()(article.author?.avatar?.url, true)
  equal<(string | null)[]>()(
    article.categories.map(({ description }) => description),
    true,
  )
  equal<number | null>()(article.cover, true)
  // @ts-expect-error what is populated further in was not asked for
  void article.categories[0]?.articles

  const { data } = await client.collection('author').list({ populate: { articles: { author: true } } })
  equal<string | undefined>()(data[0]?.articles[0]?.author?.name, true)

  const all = await articles.get(1, { populate: '*' })
  equal<string | undefined>()(all.author?.name, true)
  equal<string | undefined>()(all.cover?.url, true)
  equal<number | null>()(all.author?.avatar ?? null, true)
}

export async function optionsOfWhatIsPopulated() {
  const author = await client.collection('author').get(1, {
    populate: {
      avatar: { $fields: ['url'] },
      articles: {
        $fields: ['title'],
        $filters: { featured: true },
        $sort: ['published_at:desc', 'title'],
        $limit: 5,
        $total: true,
        author: true,
      },
    },
  })
  equal<string | undefined>()(author.avatar?.url, true)
  // @ts-expect-error it was not asked for
  void author.avatar?.folder
  equal<string | undefined>()(author.articles[0]?.title, true)
  equal<string | undefined>()(author.articles[0]?.author?.name, true)
  equal<number | undefined>()(author._totals?.articles, true)
  // @ts-expect-error it was not asked for
  void author.articles[0]?.slug
  // @ts-expect-error nor was this
  void author._totals?.avatar
  // @ts-expect-error nothing was counted
  void (await client.collection('author').get(1, { populate: { articles: { $limit: 1 } } }))._totals

  const authors = client.collection('author')
  // @ts-expect-error there is no such field
  void authors.list({ populate: { articles: { $fields: ['titel'] } } })
  // @ts-expect-error nor such an order
  void authors.list({ populate: { articles: { $sort: 'titel' } } })
  // @ts-expect-error nor such a filter
  void authors.list({ populate: { articles: { $filters: { titel: 'x' } } } })
  // @ts-expect-error nor such an option
  void authors.list({ populate: { articles: { $size: 5 } } })
  // @ts-expect-error one cannot be sorted
  void authors.list({ populate: { avatar: { $sort: 'name' } } })
  // @ts-expect-error there is nothing to choose from in a component
  void articles.list({ populate: { seo: { $fields: ['metaTitle'] } } })
}

export async function componentsAndZones() {
  const plain = await articles.get(1)
  equal<number | null | undefined>()(plain.seo?.shareImage, true)
  const article = await articles.get(1, { populate: { seo: { shareImage: true }, blocks: { image: true } } })
  equal<string | undefined>()(article.seo?.shareImage?.url, true)
  for (const block of article.blocks ?? []) {
    if (block.__component === 'shared.image') equal<string | undefined>()(block.image?.url, true)
    else if (block.__component === 'shared.quote') equal<string>()(block.text, true)
    // @ts-expect-error a quote has no picture
    if (block.__component === 'shared.quote') void block.image
  }
  const country = await countries.get(1, { populate: { names: { native: { language: true } } } })
  equal<string | undefined>()(country.names.native?.[0]?.language?.code, true)
}

export async function fieldsThatWereAskedFor() {
  const { data } = await articles.list({ fields: ['title', 'author'], populate: { author: true } })
  const [article] = data
  equal<number | undefined>()(article?.id, true)
  equal<string | undefined>()(article?.author?.name, true)
  // @ts-expect-error it was not asked for
  void article?.slug
  const { author } = await articles.get(1, { fields: ['title'], populate: { author: true } })
  equal<string | undefined>()(author?.name, true)
  // @ts-expect-error there is no such field
  void articles.list({ fields: ['titel'] })
}

export async function whatCannotBeAsked() {
  // @ts-expect-error there is nothing of this name to populate
  void articles.list({ populate: { writer: true } })
  // @ts-expect-error nor beside something that can be
  void articles.list({ populate: { author: true, writer: true } })
  // @ts-expect-error nor further in
  void articles.list({ populate: { author: { picture: true } } })
  // @ts-expect-error nor in a block
  void articles.list({ populate: { blocks: { avatar: true } } })
  // @ts-expect-error a text leads nowhere
  void articles.list({ populate: { title: true } })
  // @ts-expect-error there is no such field
  void articles.list({ filters: { titel: 'x' } })
  // @ts-expect-error nor in what it leads to
  void articles.list({ filters: { author: { nane: 'x' } } })
  // @ts-expect-error nor in a component
  void articles.list({ filters: { seo: { metaTitel: 'x' } } })
  // @ts-expect-error a boolean has no substrings
  void articles.list({ filters: { featured: { $contains: 'x' } } })
  // @ts-expect-error there is no such field
  void articles.list({ sort: 'titel' })
  // @ts-expect-error nor such a direction
  void articles.list({ sort: 'title:down' })
  // @ts-expect-error ids of what it leads to are no order
  void articles.list({ sort: 'author' })
  // @ts-expect-error only what entries have of which there is one
  void articles.list({ sort: 'categories.name' })
  // @ts-expect-error there is no such parameter
  void articles.list({ pageSize: 3 })
  // @ts-expect-error there is no such type
  void client.collection('artikel')
  // @ts-expect-error this one has one entry
  void client.collection('homepage')
  // @ts-expect-error and this one has many
  void client.single('article')
  // @ts-expect-error pages of an iteration are its own business
  void articles.each({ offset: 10 })
  // @ts-expect-error texts cannot be added up... by a name that is none
  void articles.aggregate({ function: 'sum', field: 'ranks' })
}

export async function whatCanBeAsked() {
  void articles.list({
    filters: {
      title: { $containsi: 'x' },
      author: { name: { $startsWith: 'A' } },
      $or: [{ featured: true }, { categories: [1, 2] }],
      seo: { metaTitle: { $contains: 'x' }, $not: { metaDescription: 'y' } },
      blocks: { 'shared.quote': { text: { $startsWith: 'x' } }, $notNull: true },
    },
    sort: ['featured:desc', 'title', 'author.name:desc', 'published_at:desc', 'id'],
    limit: 3,
    total: false,
    signal: AbortSignal.timeout(1000),
  })
  void countries.list({ sort: 'area:desc', filters: { status: ['user-assigned'] }, searchFields: ['name'] })
  const groups = await countries.aggregateBy(['region', 'independent'], { function: 'count' })
  equal<number | string | boolean | null | undefined>()(groups[0]?.group.region, true)
  const facets = await articles.distinct({ field: ['author', 'title'], populate: { author: true } })
  equal<string | undefined>()(facets.author.values[0]?.entry?.name, true)
  // @ts-expect-error it was not asked for
  void facets.slug
  const inside = await articles.distinct({ field: ['author.name', 'blocks.shared.quote.text'] })
  equal<number | string | boolean | null | undefined>()(inside['author.name'].values[0]?.value, true)
  // @ts-expect-error there is no such field
  void articles.distinct({ field: ['nothing.name'] })
  // @ts-expect-error it was not grouped by
  void groups[0]?.group.name
}

export async function whatIsWritten() {
  const article = await articles.create({
    title: 'a',
    slug: 'b',
    categories: [1],
    blocks: [{ __component: 'shared.quote', text: 'x' }],
  })
  equal<number | null>()(article.author, true)
  void articles.update(article.id, { featured: null }, { ifMatch: '"x"' })
  // @ts-expect-error slug is required
  void articles.create({ title: 'a' })
  // @ts-expect-error there is no such field
  void articles.create({ title: 'a', slug: 'b', titel: 'x' })
  // @ts-expect-error it takes the id
  void articles.update(1, { author: { name: 'x' } })
  // @ts-expect-error no such component in this zone
  void articles.update(1, { blocks: [{ __component: 'shared.seo', metaTitle: 'x' }] })
  // @ts-expect-error inverse sides are not written
  void client.collection('author').update(1, { articles: [1] })
}

export async function othersAreTypedToo() {
  const home = await client.single('homepage').get({ populate: { featuredArticles: true } })
  equal<string | undefined>()(home.featuredArticles[0]?.title, true)

  for await (const country of countries.each({ populate: { region: true }, fields: ['name', 'region'] })) {
    equal<string | undefined>()(country.region?.name, true)
    // @ts-expect-error it was not asked for
    void country.area
  }

  const { data } = await client.search('sun', { types: ['article', 'author'] })
  for (const hit of data) {
    if (hit.type === 'article') equal<string>()(hit.entry.slug, true)
    // @ts-expect-error only these two were searched
    if (hit.type === 'country') void hit
  }

  const { url } = await client.media.upload(new File(['x'], 'x.txt'))
  equal<string>()(url, true)
  const answer = await client.graphql<{ articles: { data: { title: string }[] } }>(
    '{ articles { data { title } } }',
  )
  equal<string | undefined>()(answer.articles.data[0]?.title, true)
}

/** For functions of one's own around the client. */
export const teaser = { author: true, cover: true } as const satisfies Populate<ArticleShape>
export const headline = (article: Result<ArticleShape, typeof teaser>) =>
  `${article.title} by ${article.author?.name}, ${article.cover?.alt}`
export const neighbours = (country: Result<CountryShape, { borders: { borders: true } }>) =>
  country.borders.flatMap(({ borders }) => borders.map(({ name }) => name))
export const problems = (error: MortiseError) => error.details.map(({ path, code }) => `${path}: ${code}`)
