import classes from '../../entry/form/read-value.module.css'
import type { ReadValueProps } from '../../schema/field-kinds.ts'
import { writeJson } from './json-text.ts'

/** A read-only JSON value; long lines wrap, so that no scrolling is needed. */
export default function ReadJson({ value }: ReadValueProps) {
  return <pre className={classes.source}>{writeJson(value)}</pre>
}
