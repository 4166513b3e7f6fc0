import { connectPreview, withFields } from 'mortise-client/preview'
import { cms } from './cms.js'
import { showArticle } from './show-article.js'

const page = document.querySelector('#article')

/** What the panel shows; undefined for readers. */
let draft

/** What readers see. */
async function showPublished() {
  const slug = new URLSearchParams(location.search).get('slug')
  // The page of an article that is not saved yet, which only the panel knows.
  if (slug === null) return
  const populate = { author: true, cover: true, blocks: { image: true } }
  const { data } = await cms.collection('article').list({ filters: { slug }, populate, limit: 1 })
  if (data[0] === undefined) throw new Error('there is no such article')
  if (draft === undefined) showArticle(page, data[0])
}

connectPreview({
  panel: cms.url,
  async onStart(entry) {
    draft = await entry.read('author,cover,blocks.image')
    showArticle(page, draft)
  },
  onChange(fields) {
    draft = withFields(draft, fields)
    showArticle(page, draft)
  },
})

try {
  await showPublished()
} catch (error) {
  if (draft === undefined) page.textContent = `The article cannot be read: ${error.message}`
}
