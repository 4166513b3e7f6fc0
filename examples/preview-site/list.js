import { cms } from './cms.js'
import { element } from './element.js'

const list = document.querySelector('#articles')

try {
  const { data } = await cms
    .collection('article')
    .list({ fields: ['title', 'slug'], sort: 'id:desc', limit: 20 })
  const link = ({ title, slug }) =>
    element('a', { href: `article.html?slug=${encodeURIComponent(slug)}` }, title)
  list.replaceChildren(...data.map((article) => element('li', {}, link(article))))
} catch (error) {
  list.replaceChildren(element('li', {}, `The articles cannot be read: ${error.message}`))
}
