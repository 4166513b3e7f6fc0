const type = (singularName: string, attributes: Readonly<Record<string, unknown>>, options = {}) => ({
  kind: 'collectionType',
  info: {
    singularName,
    pluralName: `${singularName}s`,
    displayName: singularName.slice(0, 1).toUpperCase() + singularName.slice(1),
  },
  options,
  attributes,
})

const localized = { i18n: { localized: true } }

/** Types with every plain kind of field, with many fields, and with languages. */
export const entrySchemas = {
  'talk.json': type(
    'talk',
    {
      title: { type: 'string', required: true, maxLength: 60 },
      slug: { type: 'string', required: true, unique: true },
      abstract: { type: 'text', description: 'What it is about.', maxLength: 400 },
      kind: { type: 'enum', enum: ['talk', 'workshop'], default: 'talk' },
      room: {
        type: 'string',
        required: true,
        condition: { field: 'kind', operator: 'eq', value: 'workshop' },
        pluginOptions: { panel: { width: 'half' } },
      },
      seats: {
        type: 'integer',
        min: 1,
        max: 500,
        pluginOptions: { panel: { width: 'half', group: 'Place' } },
      },
      fee: { type: 'decimal', pluginOptions: { panel: { width: 'half', group: 'Place' } } },
      recorded: { type: 'boolean', required: true },
      streamed: { type: 'boolean' },
      day: { type: 'date', pluginOptions: { panel: { tab: 'Programme', width: 'half' } } },
      beginsAt: { type: 'datetime', pluginOptions: { panel: { tab: 'Programme', width: 'half' } } },
      contact: { type: 'email', pluginOptions: { panel: { tab: 'Programme' } } },
      link: {
        type: 'string',
        pluginOptions: { panel: { tab: 'Programme', widget: 'url', label: 'Web page' } },
      },
      accent: { type: 'string', pluginOptions: { panel: { tab: 'Programme', widget: 'color' } } },
    },
    { draftAndPublish: true, draftOverlay: true },
  ),
  'wide.json': type(
    'wide',
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, { type: 'string' }])),
  ),
  'page.json': type(
    'page',
    {
      title: { type: 'string', required: true, pluginOptions: localized },
      price: { type: 'integer' },
    },
    { i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' } },
  ),
}
