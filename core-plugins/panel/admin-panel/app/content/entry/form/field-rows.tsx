import type { DescribedAttribute } from '../../../ground/api/content-types.ts'
import { panelOptionsOf } from '../../schema/field-kinds.ts'
import { joinPath, type ValuePath } from '../../schema/value-path.ts'
import { FieldRow } from './field-row.tsx'
import classes from './form.module.css'

export interface FieldRowsProps {
  /** Of a type or of a component, in the order of their file. */
  readonly attributes: readonly DescribedAttribute[]
  /** The path of the component; `''` for the entry itself. */
  readonly parent: ValuePath
}

/** The fields of an entry or a component; fields of one group are shown together under the group's name. */
export function FieldRows({ attributes, parent }: FieldRowsProps) {
  return (
    <div className={classes.rows}>
      {groupsOf(attributes).map(({ group, members }) =>
        group === undefined ? (
          members.map((attribute) => <Row key={attribute.name} attribute={attribute} parent={parent} />)
        ) : (
          <fieldset key={`group ${group}`} className={classes.group}>
            <legend className={classes.legend}>{group}</legend>
            <div className={classes.rows}>
              {members.map((attribute) => (
                <Row key={attribute.name} attribute={attribute} parent={parent} />
              ))}
            </div>
          </fieldset>
        ),
      )}
    </div>
  )
}

function Row({ attribute, parent }: { readonly attribute: DescribedAttribute; readonly parent: ValuePath }) {
  return <FieldRow path={joinPath(parent, attribute.name)} attribute={attribute} />
}

interface Group {
  readonly group: string | undefined
  readonly members: DescribedAttribute[]
}

/** A group is shown at the position of its first field. */
function groupsOf(attributes: readonly DescribedAttribute[]): readonly Group[] {
  const groups: Group[] = []
  for (const attribute of attributes) {
    const { group } = panelOptionsOf(attribute)
    const last = groups.at(-1)
    const found =
      group === undefined
        ? last?.group === undefined
          ? last
          : undefined
        : groups.find((each) => each.group === group)
    if (found === undefined) groups.push({ group, members: [attribute] })
    else found.members.push(attribute)
  }
  return groups
}
