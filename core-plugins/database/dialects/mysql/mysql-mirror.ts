import { type Renaming, triggerName } from '../../sync/mirror.ts'

const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``

/** The statements that keep two columns of a table in sync, whichever is written. Repeatable. */
export function mirrorStatements(table: string, renaming: Renaming): string[] {
  const column = quote(renaming.column)
  const earlier = quote(renaming.earlier)
  const trigger = (event: 'insert' | 'update') =>
    `create trigger ${quote(triggerName(table, renaming, event))} before ${event} on ${quote(table)} for each row`
  return [
    ...endMirrorStatements(table, renaming),
    `${trigger('insert')} if new.${column} is null then set new.${column} = new.${earlier};
      else set new.${earlier} = new.${column}; end if`,
    `${trigger('update')} if not (new.${column} <=> old.${column}) then set new.${earlier} = new.${column};
      elseif not (new.${earlier} <=> old.${earlier}) then set new.${column} = new.${earlier}; end if`,
    `update ${quote(table)} set ${column} = ${earlier} where ${column} is null and ${earlier} is not null`,
  ]
}

export function endMirrorStatements(table: string, renaming: Renaming): string[] {
  return ['insert', 'update'].map(
    (event) => `drop trigger if exists ${quote(triggerName(table, renaming, event))}`,
  )
}
