import type { Article, Author } from '../countries/content-types.ts'

/** What the site consists of, by id. */
export interface Content {
  readonly articles: Readonly<Record<number, Article>>
  readonly authors: Readonly<Record<number, Author>>
}

/** A page, and what it shows: it has to be made anew when one of these changes, or is no longer among them. */
export interface Page {
  /** `article 3`, `author 1`. */
  readonly shows: readonly string[]
  render(): string
}

/** All pages by their paths. Nothing is rendered yet. */
export function pagesOf({ articles, authors }: Content): ReadonlyMap<string, Page> {
  const all = Object.values(articles).sort((one, other) => one.id - other.id)
  const authorOf = ({ author }: Article) => (typeof author === 'number' ? authors[author] : undefined)
  const list = (title: string, shown: readonly Article[]) =>
    html(title, `<ul>${shown.map((article) => `<li>${link(article)}</li>`).join('')}</ul>`)

  const home: Page = { shows: all.map(articleKey), render: () => list('Articles', all) }
  const ofArticles = all.map((article): [string, Page] => {
    const author = authorOf(article)
    return [
      pathOf(article),
      {
        shows: [
          articleKey(article),
          ...(typeof article.author === 'number' ? [`author ${article.author}`] : []),
        ],
        render: () =>
          html(
            article.title,
            `<p>${encoded(author?.name ?? 'Anonymous')}</p><div>${encoded(article.body ?? '')}</div>`,
          ),
      },
    ]
  })
  const ofAuthors = Object.values(authors).map((author): [string, Page] => {
    const own = all.filter((article) => article.author === author.id)
    return [
      `authors/${author.id}.html`,
      { shows: [`author ${author.id}`, ...own.map(articleKey)], render: () => list(author.name, own) },
    ]
  })
  return new Map([['index.html', home], ...ofArticles, ...ofAuthors])
}

const articleKey = ({ id }: Article) => `article ${id}`
const pathOf = ({ slug }: Article) => `articles/${encodeURIComponent(slug)}.html`
const link = (article: Article) => `<a href="/${pathOf(article)}">${encoded(article.title)}</a>`

const html = (title: string, body: string) =>
  `<!doctype html><meta charset="utf-8"><title>${encoded(title)}</title><h1>${encoded(title)}</h1>${body}\n`

const encoded = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
