/*
 * Fills this Strapi by its own services, as editors would by hand: locales, folders and files, entries of all
 * kinds, drafts, published entries, and published entries that have been changed since. What Strapi then says
 * of each entry goes to `truth.json`, to be compared with what the import has made of it.
 */
const { mkdirSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { createStrapi } = require('@strapi/strapi')
const { describeAll } = require('./describe.js')
const { makeFiles } = require('./files.js')

const count = Number(process.env.ARTICLES ?? 90)

async function main() {
  mkdirSync(path.join(__dirname, '.tmp'), { recursive: true })
  const strapi = await createStrapi({ appDir: __dirname, distDir: __dirname }).load()
  try {
    for (const [code, name] of [
      ['de', 'German'],
      ['fr', 'French'],
    ]) {
      await strapi.plugin('i18n').service('locales').create({ code, name })
    }
    await fill(strapi)
    writeFileSync(path.join(__dirname, 'truth.json'), JSON.stringify(await describeAll(strapi)))
  } finally {
    await strapi.destroy()
  }
}

async function fill(strapi) {
  const files = await makeFiles(strapi, path.join(__dirname, '.tmp'))
  const users = await makeUsers(strapi)
  const authors = await makeAuthors(strapi, files)
  const tags = await makeTags(strapi)
  const categories = await makeCategories(strapi)
  const parts = { files, users, authors, tags, categories }
  const articles = await makeArticles(strapi, parts)
  await makeEvents(strapi, parts)
  await makeNotes(strapi, articles)
  await makeSingles(strapi, parts, articles)
}

const numbers = (length) => Array.from({ length }, (_, index) => index)
const at = (list, index) => list[index % list.length]
const documents = (strapi, name) => strapi.documents(`api::${name}.${name}`)

async function makeUsers(strapi) {
  const role = await strapi.db
    .query('plugin::users-permissions.role')
    .findOne({ where: { type: 'authenticated' } })
  const users = []
  for (const index of numbers(7)) {
    const data = {
      username: `reader-${index}`,
      email: `reader-${index}@example.com`,
      password: `Reader-${index}-secret`,
      provider: 'local',
      confirmed: true,
      blocked: index === 6,
      role: role.id,
    }
    users.push(await strapi.plugin('users-permissions').service('user').add(data))
  }
  return users
}

async function makeAuthors(strapi, files) {
  const authors = []
  for (const index of numbers(12)) {
    const profile = await documents(strapi, 'profile').create({ data: { motto: `Motto ${index} – „schön“` } })
    const data = {
      name: `Author ${index}`,
      email: `author-${index}@example.com`,
      biography: `# Author ${index}\n\nWrites **well**.`,
      avatar: at(files.images, index).id,
      profile: profile.documentId,
    }
    authors.push(await documents(strapi, 'author').create({ data }))
  }
  return authors
}

async function makeTags(strapi) {
  const tags = []
  for (const index of numbers(15)) {
    const tag = await documents(strapi, 'tag').create({
      data: { name: `Tag ${index}`, shade: `#0000${10 + index}` },
      locale: 'en',
    })
    if (index >= 12) continue
    await documents(strapi, 'tag').update({
      documentId: tag.documentId,
      locale: 'de',
      data: { name: `Schlagwort ${index}` },
    })
    await documents(strapi, 'tag').update({
      documentId: tag.documentId,
      locale: 'fr',
      data: { name: `Étiquette ${index}` },
    })
    tags.push(tag)
  }
  // The others have no translation, and a relation stays within its locale.
  return tags
}

async function makeCategories(strapi) {
  const categories = []
  for (const index of numbers(10)) {
    const parent = index < 3 ? undefined : categories[index % 3].documentId
    const data = { name: `Category ${index}`, slug: `category-${index}`, parent }
    categories.push(
      await documents(strapi, 'category').create({ data, status: index === 9 ? 'draft' : 'published' }),
    )
  }
  return categories
}

const paragraph = (text) => ({
  type: 'paragraph',
  children: [
    { type: 'text', text },
    { type: 'text', text: ' and bold', bold: true },
  ],
})

function articleData(index, locale, { files, users, authors, tags, categories }) {
  return {
    title: `Article ${index} in ${locale} – ${'äöü€𝄞'.slice(0, index % 6)}`,
    slug: `article-${index}-${locale}`,
    lead: index % 7 === 0 ? null : `Lead ${index} (${locale})\nsecond line`,
    body: [
      paragraph(`Body ${index} (${locale})`),
      { type: 'heading', level: 2, children: [{ type: 'text', text: 'More' }] },
    ],
    kind: at(['news', 'story', 'interview'], index),
    featured: index % 4 === 0,
    rating: (index % 50) / 10,
    score: index * 1.25,
    words: index * 100,
    views: String(9007199254740000n + BigInt(index * 1000)),
    day: `2026-01-${String(1 + (index % 28)).padStart(2, '0')}`,
    embargo: `2026-02-${String(1 + (index % 28)).padStart(2, '0')}T08:30:00.000Z`,
    facts: index % 5 === 0 ? null : { index, nested: { list: [1, 'two', null, { three: true }] } },
    cover: at(files.images, index).id,
    attachments: [at(files.documents, index).id, at(files.images, index + 1).id],
    author: at(authors, index).documentId,
    tags: [3, 1, 2].slice(0, index % 4).map((step) => at(tags, index + step).documentId),
    category: at(categories, index % 9).documentId,
    reviewer: at(users, index).id,
    seo: {
      metaTitle: `Meta ${index} ${locale}`,
      metaDescription: null,
      image: at(files.images, index + 2).id,
      canonical: at(categories, index % 9).documentId,
    },
    sections: numbers(index % 4).map((section) => sectionData(index + section, locale, { tags })),
    blocks: blocksData(index, { files, authors }),
  }
}

function sectionData(index, locale, { tags }) {
  return {
    heading: `Section ${index} (${locale})`,
    text: `Some *markdown* of ${index}`,
    link: index % 2 === 0 ? null : { label: `Link ${index}`, url: `https://example.com/${index}` },
    tags: [at(tags, index).documentId, at(tags, index + 4).documentId],
  }
}

function blocksData(index, { files, authors }) {
  return [
    { __component: 'article.quote', text: `Quote ${index}`, person: at(authors, index + 1).documentId },
    {
      __component: 'article.gallery',
      caption: `Gallery ${index}`,
      images: [at(files.images, index).id, at(files.images, index + 3).id],
    },
    { __component: 'shared.link', label: `Further ${index}`, url: null },
    { __component: 'article.quote', text: `Last word ${index}`, person: null },
  ].slice(index % 3)
}

/** Of six in a row: three published, one of them changed since; two drafts; one published and withdrawn. */
async function makeArticles(strapi, parts) {
  const service = documents(strapi, 'article')
  const articles = []
  for (const index of numbers(count)) {
    const isDraft = index % 6 >= 4
    const created = await service.create({
      data: articleData(index, 'en', parts),
      locale: 'en',
      status: isDraft ? 'draft' : 'published',
    })
    const { documentId } = created
    articles.push(created)
    if (index % 2 === 0)
      await service.update({
        documentId,
        locale: 'de',
        data: articleData(index, 'de', parts),
        status: index % 4 === 0 ? 'published' : 'draft',
      })
    if (index % 5 === 0)
      await service.update({ documentId, locale: 'fr', data: articleData(index, 'fr', parts) })
    if (index % 6 === 1) await service.update({ documentId, locale: 'en', data: changedData(index, parts) })
    if (index % 6 === 3) await service.unpublish({ documentId, locale: 'en' })
  }
  for (const [index, { documentId }] of articles.entries()) {
    if (index % 6 === 1) continue
    const related = [at(articles, index + 1), at(articles, index * 2 + 3)].map((article) => ({
      documentId: article.documentId,
      locale: 'en',
    }))
    await service.update({ documentId, locale: 'en', data: { related } })
    if (index % 6 < 3) await service.publish({ documentId, locale: 'en' })
  }
  return articles
}

/** What editors have changed since they published. */
function changedData(index, { authors, tags }) {
  return {
    title: `Article ${index}, changed`,
    author: at(authors, index + 5).documentId,
    tags: [at(tags, index + 7).documentId],
    blocks: [{ __component: 'shared.link', label: 'Only this', url: '/' }],
  }
}

async function makeEvents(strapi, { authors, tags, categories }) {
  for (const index of numbers(20)) {
    const data = {
      title: `Event ${index}`,
      doors: `1${index % 10}:30:00.000`,
      deletedAt: index % 2 === 0 ? null : '2026-03-01T00:00:00.000Z',
      code: 'open sesame',
      contact: `host-${index}@example.com`,
      // Nobody else may have what a one-way relation leads to: several events share a host and tags.
      host: at(authors, index % 3).documentId,
      tags: [at(tags, index).documentId, tags[0].documentId],
      categories: [categories[(index + 2) % 9].documentId, categories[(index + 1) % 9].documentId],
    }
    await documents(strapi, 'event').create({ data })
  }
}

async function makeNotes(strapi, articles) {
  for (const index of numbers(10)) {
    const about = { id: at(articles, index).id, __type: 'api::article.article' }
    await documents(strapi, 'note').create({ data: { text: `Note ${index}`, about } })
  }
}

async function makeSingles(strapi, { files, authors }, articles) {
  const homepage = documents(strapi, 'homepage')
  const featured = [articles[2], articles[0]].map(({ documentId }) => ({ documentId, locale: 'en' }))
  const data = {
    headline: 'Welcome',
    hero: files.images[0].id,
    blocks: blocksData(0, { files, authors }),
    featured,
  }
  const { documentId } = await homepage.create({ data, locale: 'en', status: 'published' })
  await homepage.update({
    documentId,
    locale: 'de',
    data: { headline: 'Willkommen', hero: files.images[0].id, blocks: blocksData(1, { files, authors }) },
  })
  await documents(strapi, 'global').create({
    data: { siteName: 'The example', seo: { metaTitle: 'Example', image: files.images[1].id } },
  })
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error)
    process.exit(1)
  },
)
