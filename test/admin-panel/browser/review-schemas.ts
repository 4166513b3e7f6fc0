/** A type that is translated and goes through an approval workflow. */
export const reviewSchemas = {
  'story.json': {
    kind: 'collectionType',
    info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
    options: {
      draftAndPublish: true,
      incompleteDrafts: true,
      i18n: { enabled: true, locales: ['en', 'de', 'fr'] },
      workflow: {
        enabled: true,
        initialState: 'draft',
        states: [
          { name: 'draft', label: 'In progress', color: '#888888' },
          { name: 'review', label: 'In review', color: '#f2e205' },
          { name: 'approved', label: 'Approved', color: '#2e7d32', publishable: true },
        ],
        transitions: [
          { from: 'draft', to: 'review', label: 'Submit' },
          { from: 'review', to: 'approved', label: 'Approve', roles: ['admin'] },
          { from: 'review', to: 'draft', label: 'Send back', roles: ['admin'] },
          { from: 'approved', to: 'draft', label: 'Revise' },
        ],
      },
    },
    attributes: {
      title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
      body: { type: 'text', pluginOptions: { i18n: { localized: true } } },
      section: { type: 'enum', enum: ['News', 'Sport'] },
    },
  },
}
