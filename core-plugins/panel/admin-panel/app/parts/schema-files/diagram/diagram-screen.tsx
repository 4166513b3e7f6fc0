import { useMemo } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Link } from '../../../ground/kit/link/link.tsx'
import { kindName } from '../fields/field-summary.tsx'
import { ModelPage } from '../owners/model-page.tsx'
import type { Owner } from '../owners/owner.ts'
import classes from './diagram.module.css'
import { type Box, boxWidth, layoutDiagram, lineHeight, titleHeight } from './layout.ts'

/** A diagram with content types as boxes and relations as lines; below it, the same as text. */
export default function DiagramScreen() {
  return <ModelPage title={() => t('model.diagram')}>{({ types }) => <Shown types={types} />}</ModelPage>
}

function Shown({ types }: { readonly types: readonly Owner[] }) {
  const shown = useMemo(() => withoutUnused(types), [types])
  if (shown.length === 0) return <EmptyState icon="boxes" title={t('model.none')} />
  return (
    <>
      <Picture types={shown} />
      <Relations types={shown} />
    </>
  )
}

/** Keeps built-in types only if the project's types are related to them. */
function withoutUnused(types: readonly Owner[]): Owner[] {
  const relations = (fields: Owner['fields']) =>
    fields.filter(({ isOwn, attribute }) => isOwn && attribute.type === 'relation')
  const used = new Set(
    types.flatMap(({ fields }) => relations(fields).map(({ attribute }) => attribute.target)),
  )
  return types.filter(
    ({ isSystem, name, fields }) => !isSystem || used.has(name) || relations(fields).length > 0,
  )
}

/** The scrollable diagram. Its content is repeated as text below. */
function Picture({ types }: { readonly types: readonly Owner[] }) {
  const { boxes, lines, width, height } = useMemo(() => layoutDiagram(types), [types])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it by the keys
    <section className={classes.frame} aria-label={t('model.diagram')} tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <defs>
          <marker
            id="model-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M 0 0 L 8 4 L 0 8 z" className={classes.arrow} />
          </marker>
        </defs>
        {lines.map(({ key, path }) => (
          <path key={key} d={path} className={classes.line} markerEnd="url(#model-arrow)" />
        ))}
        {boxes.map((box) => (
          <DrawnBox key={box.name} box={box} />
        ))}
      </svg>
    </section>
  )
}

const padding = 10

function DrawnBox({ box: { title, lines, x, y, height } }: { readonly box: Box }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={boxWidth} height={height} rx={6} className={classes.box} />
      <text x={padding} y={titleHeight - padding} className={classes.title}>
        {shortened(title)}
      </text>
      {lines.map((line, index) => (
        <text key={line} x={padding} y={titleHeight + index * lineHeight + 14} className={classes.field}>
          {shortened(line)}
        </text>
      ))}
    </g>
  )
}

/** Shortens a text to fit into a box. */
const shortened = (text: string) => (text.length > 24 ? `${text.slice(0, 23)}…` : text)

/** All relations as text, as an alternative to the diagram. */
function Relations({ types }: { readonly types: readonly Owner[] }) {
  const relations = types.flatMap(({ name, fields }) =>
    fields
      .filter(({ attribute }) => attribute.type === 'relation')
      .map(({ name: field, attribute }) => ({ name, field, attribute })),
  )
  if (relations.length === 0) return null
  return (
    <section>
      <h2 className={classes.heading}>{t('model.relations')}</h2>
      <ul className={classes.relations}>
        {relations.map(({ name, field, attribute }) => (
          <li key={`${name}.${field}`}>
            <Link to={`/model/types/${name}`}>
              {name}.{field}
            </Link>{' '}
            {t('model.leadsTo', { kind: kindName(String(attribute.relation)) })}{' '}
            <Link to={`/model/types/${attribute.target}`}>{String(attribute.target)}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
