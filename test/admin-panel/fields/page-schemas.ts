const info = (name: string, displayName: string) => ({
  singularName: name,
  pluralName: `${name}s`,
  displayName,
})

/** A type with every kind of field that has parts, and what it points at. */
export const pageSchemas = {
  'page.json': {
    kind: 'collectionType',
    info: info('page', 'Page'),
    attributes: {
      title: { type: 'string', required: true },
      body: { type: 'richtext' },
      settings: { type: 'json' },
      seo: { type: 'component', component: 'shared.seo' },
      faq: { type: 'component', component: 'shared.question', repeatable: true, min: 1, max: 3 },
      blocks: { type: 'dynamicZone', components: ['blocks.text', 'blocks.quote', 'blocks.gallery'] },
      author: { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'pages' },
      related: { type: 'relation', relation: 'manyToMany', target: 'author' },
      cover: { type: 'media', allowedTypes: ['images'] },
      pictures: { type: 'media', multiple: true },
    },
  },
  'author.json': {
    kind: 'collectionType',
    info: info('author', 'Author'),
    options: { draftAndPublish: true },
    attributes: {
      name: { type: 'string', required: true },
      pages: { type: 'relation', relation: 'oneToMany', target: 'page', mappedBy: 'author' },
    },
  },
  'components/shared.seo.json': {
    uid: 'shared.seo',
    category: 'shared',
    info: { displayName: 'SEO', icon: 'search' },
    attributes: { metaTitle: { type: 'string' }, index: { type: 'boolean', default: true } },
  },
  'components/shared.question.json': {
    uid: 'shared.question',
    category: 'shared',
    info: { displayName: 'Question' },
    attributes: { question: { type: 'string', required: true }, answer: { type: 'text' } },
  },
  'components/blocks.text.json': {
    uid: 'blocks.text',
    category: 'blocks',
    info: { displayName: 'Text', icon: 'pilcrow', description: 'Paragraphs and headings' },
    attributes: { body: { type: 'richtext' } },
  },
  'components/blocks.quote.json': {
    uid: 'blocks.quote',
    category: 'blocks',
    info: { displayName: 'Quote', icon: 'quote', description: 'What somebody has said' },
    attributes: { text: { type: 'text', required: true }, by: { type: 'string' } },
  },
  'components/blocks.gallery.json': {
    uid: 'blocks.gallery',
    category: 'blocks',
    info: { displayName: 'Gallery', icon: 'images', description: 'Pictures side by side' },
    attributes: {
      heading: { type: 'string' },
      pictures: { type: 'media', multiple: true, allowedTypes: ['images'] },
      questions: { type: 'component', component: 'shared.question', repeatable: true },
    },
  },
}
