const panel = (options: Readonly<Record<string, unknown>>) => ({ pluginOptions: { panel: options } })
const localized = (options: Readonly<Record<string, unknown>> = {}) => ({
  pluginOptions: { i18n: { localized: true }, panel: options },
})
const info = (name: string, displayName: string, pluralName = `${name}s`) => ({
  info: { singularName: name, pluralName, displayName },
})

const workflow = {
  enabled: true,
  initialState: 'writing',
  states: [
    { name: 'writing', label: 'Being written', color: '#8a6d1d' },
    { name: 'desk', label: 'At the desk', color: '#245fa8' },
    { name: 'ready', label: 'Ready', color: '#17693c', publishable: true },
  ],
  transitions: [
    { from: 'writing', to: 'desk', label: 'Hand to the desk' },
    { from: 'desk', to: 'ready', label: 'Release for print' },
    { from: 'desk', to: 'writing', label: 'Send back' },
  ],
}

const article = {
  kind: 'collectionType',
  ...info('article', 'Article'),
  options: {
    draftAndPublish: true,
    draftOverlay: true,
    softDelete: true,
    i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' },
  },
  ...panel({
    group: 'Newspaper',
    icon: 'newspaper',
    columns: ['title', 'cover', 'section', 'author', '_publication', '_locales', 'updated_at'],
  }),
  attributes: {
    title: { type: 'string', required: true, maxLength: 90, ...localized() },
    slug: { type: 'string', required: true, maxLength: 120, ...localized() },
    standfirst: {
      type: 'text',
      maxLength: 260,
      description: 'One or two sentences under the headline.',
      ...localized(),
    },
    body: { type: 'richtext', ...localized() },
    section: { type: 'relation', relation: 'manyToOne', target: 'section', ...panel({ width: 'half' }) },
    author: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'author',
      inversedBy: 'articles',
      ...panel({ width: 'half', label: 'Written by' }),
    },
    cover: { type: 'media', allowedTypes: ['images'], ...panel({ label: 'Lead picture' }) },
    blocks: {
      type: 'dynamicZone',
      components: ['story.quote', 'story.facts', 'story.pictures'],
      ...localized({ label: 'Beside the text' }),
    },
    related: { type: 'relation', relation: 'manyToMany', target: 'article', ...panel({ label: 'Read on' }) },
    onFrontPage: { type: 'boolean', default: false, ...panel({ tab: 'Placement', label: 'Front page' }) },
    weight: { type: 'integer', min: 0, max: 9, ...panel({ tab: 'Placement' }) },
  },
}

/** What a local newspaper needs: enough of every part of the panel to be looked at. */
export const newsroomSchemas = {
  'article.json': article,
  'author.json': {
    kind: 'collectionType',
    ...info('author', 'Author'),
    ...panel({ group: 'Newspaper', icon: 'users' }),
    attributes: {
      name: { type: 'string', required: true },
      beat: { type: 'string', ...panel({ help: 'What this person writes about.' }) },
      email: { type: 'email' },
      portrait: { type: 'media', allowedTypes: ['images'] },
      articles: { type: 'relation', relation: 'oneToMany', target: 'article', mappedBy: 'author' },
    },
  },
  'section.json': {
    kind: 'collectionType',
    ...info('section', 'Section'),
    ...panel({ group: 'Newspaper', icon: 'layers' }),
    attributes: {
      name: { type: 'string', required: true },
      colour: { type: 'string', ...panel({ widget: 'color' }) },
    },
  },
  'event.json': {
    kind: 'collectionType',
    ...info('event', 'Event'),
    ...panel({ group: 'Town', icon: 'calendar', columns: ['name', 'place', 'begins', 'free', '_workflow'] }),
    options: { draftAndPublish: true, workflow },
    attributes: {
      name: { type: 'string', required: true },
      place: { type: 'string', ...panel({ width: 'half' }) },
      begins: { type: 'datetime', ...panel({ width: 'half' }) },
      free: { type: 'boolean', ...panel({ label: 'Free of charge' }) },
      about: { type: 'text' },
    },
  },
  'imprint.json': {
    kind: 'singleType',
    ...info('imprint', 'Imprint'),
    ...panel({ group: 'Town' }),
    attributes: { publisher: { type: 'string' }, address: { type: 'text' }, telephone: { type: 'string' } },
  },
  'components/story.quote.json': {
    uid: 'story.quote',
    category: 'story',
    info: { displayName: 'Pull quote', icon: 'quote', description: 'A sentence set in large type' },
    attributes: { text: { type: 'text', required: true }, speaker: { type: 'string' } },
  },
  'components/story.facts.json': {
    uid: 'story.facts',
    category: 'story',
    info: { displayName: 'Fact box', icon: 'list', description: 'Figures and dates at a glance' },
    attributes: { heading: { type: 'string', required: true }, facts: { type: 'richtext' } },
  },
  'components/story.pictures.json': {
    uid: 'story.pictures',
    category: 'story',
    info: { displayName: 'Picture series', icon: 'images', description: 'Several pictures with one caption' },
    attributes: {
      caption: { type: 'string' },
      pictures: { type: 'media', multiple: true, allowedTypes: ['images'] },
    },
  },
}
