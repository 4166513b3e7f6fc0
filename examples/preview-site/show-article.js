import { cms } from './cms.js'
import { element } from './element.js'

/** Draws an article; a click on what has a `data-mortise-field` leads to that field of the form. */
export function showArticle(page, { title, excerpt, author, cover, body, blocks }) {
  document.title = title ?? ''
  page.replaceChildren(
    element('h1', { 'data-mortise-field': 'title' }, title ?? ''),
    element('p', { class: 'excerpt', 'data-mortise-field': 'excerpt' }, excerpt ?? ''),
    // An id: the author was picked just now, and comes in a moment.
    ...(author?.name === undefined
      ? []
      : [element('p', { 'data-mortise-field': 'author' }, `By ${author.name}`)]),
    ...picture(cover, 'cover'),
    richText(body, 'body'),
    ...(blocks ?? []).flatMap((block, index) => showBlock(block, `blocks.${index}`)),
  )
}

function showBlock(block, path) {
  if (block.__component === 'shared.rich-text') return [richText(block.body, `${path}.body`)]
  if (block.__component === 'shared.image') return picture(block.image, `${path}.image`)
  const source = element('cite', { 'data-mortise-field': `${path}.source` }, block.source ?? '')
  return [
    element(
      'blockquote',
      { 'data-mortise-field': `${path}.text` },
      block.text ?? '',
      element('br', {}),
      source,
    ),
  ]
}

function picture(file, path) {
  if (file?.url === undefined) return []
  return [element('img', { src: cms.fileUrl(file), alt: file.alt ?? '', 'data-mortise-field': path })]
}

/** Whoever writes articles may write HTML; where they are not to be trusted with it, clean it here. */
function richText(html, path) {
  // Nothing in a template is loaded: first, pictures get the address of the service.
  const template = element('template', {})
  template.innerHTML = html ?? ''
  for (const image of template.content.querySelectorAll('img[src]')) {
    image.setAttribute('src', cms.fileUrl(image.getAttribute('src')))
  }
  return element('div', { 'data-mortise-field': path }, template.content)
}
