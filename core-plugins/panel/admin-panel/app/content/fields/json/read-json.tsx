import classes from '../../entry/form/read-value.module.css'
import type { ReadValueProps } from '../../schema/field-kinds.ts'
import { writeJson } from './json-text.ts'

/** A value as JSON, to be read; long lines wrap, so that nothing has to be scrolled to. */
export default function ReadJson({ value }: ReadValueProps) {
  return <pre className={classes.source}>{writeJson(value)}</pre>
}
