import { Type } from 'typebox'
import { orNull, strict } from '../../foundation/http/http.ts'

const byPlugin = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'As in the schema file. `panel` is for the admin panel: label, placeholder, width, group, widget …',
})

const plugin = orNull(Type.String({ description: 'The plugin whose file declares it' }))

const titleField = Type.String({
  description:
    'The field by which people recognise an entry: `pluginOptions.panel.title`, else a string called title, name or ' +
    'label, else the first string, else `id`',
})

/** Allows further properties: the options of field types, which plugins can add. */
const attribute = Type.Object(
  {
    name: Type.String(),
    type: Type.String(),
    description: Type.Optional(Type.String()),
    required: Type.Boolean(),
    localized: Type.Boolean({ description: 'Each locale has a value of its own' }),
    condition: Type.Optional(
      Type.Object({ field: Type.String(), operator: Type.String(), value: Type.Unknown() }, strict),
    ),
    plugin: Type.Optional(Type.String({ description: 'The plugin that adds it' })),
    pluginOptions: Type.Optional(byPlugin),
    target: Type.Optional(Type.String({ description: 'The type that a relation or media field points at' })),
    many: Type.Optional(Type.Boolean({ description: 'The value of a relation or media field is an array' })),
    inverse: Type.Optional(
      Type.Boolean({ description: 'The other side of a relation; shown when populated' }),
    ),
  },
  { description: 'All keys of the schema file, with the defaults of those that every field has' },
)

const attributes = Type.Array(attribute, { description: 'In the order of the schema file' })

const workflow = Type.Object(
  {
    initialState: Type.String(),
    states: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          label: Type.String(),
          color: orNull(Type.String()),
          publishable: Type.Boolean(),
        },
        strict,
      ),
    ),
    transitions: Type.Array(
      Type.Object(
        {
          from: Type.String(),
          to: Type.String(),
          label: Type.String(),
          roles: Type.Optional(Type.Array(Type.String(), { description: 'Absent: whoever may update' })),
        },
        strict,
      ),
    ),
  },
  strict,
)

/** A content type in answers. */
export const typeSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['collectionType', 'singleType']),
    system: Type.Boolean({ description: 'Relations may point at it; `/content` does not serve it' }),
    plugin,
    info: Type.Object(
      {
        singularName: Type.String(),
        pluralName: Type.String(),
        displayName: Type.String(),
        description: Type.String(),
      },
      strict,
    ),
    options: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`draftAndPublish`, `draftOverlay`, `incompleteDrafts`, `timestamps`, `softDelete`, `i18n.enabled`',
    }),
    pluginOptions: byPlugin,
    indexes: Type.Array(Type.Object({ fields: Type.Array(Type.String()), type: Type.String() }, strict)),
    titleField,
    locales: Type.Array(Type.String(), { description: 'Empty where entries have no locale' }),
    defaultLocale: orNull(Type.String()),
    workflow: orNull(workflow),
    attributes,
    addedFields: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }, strict), {
      description: 'What entries show beside, from columns of plugins; nobody may write it',
    }),
    referencedBy: Type.Array(
      Type.Object(
        {
          type: Type.Optional(Type.String()),
          component: Type.Optional(Type.String()),
          attribute: Type.String(),
          many: Type.Boolean(),
        },
        strict,
      ),
      { description: 'The fields that point at it, without inverse sides' },
    ),
  },
  strict,
)

/** A component in answers. */
export const componentSchema = Type.Object(
  {
    uid: Type.String(),
    category: Type.String(),
    plugin,
    info: Type.Object(
      { displayName: Type.String(), description: Type.String(), icon: Type.String() },
      strict,
    ),
    titleField,
    attributes,
  },
  strict,
)
