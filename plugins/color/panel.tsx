import { definePanelModule, defineTexts, FieldFrame, type FieldInputProps, useField } from 'mortise/panel'
import classes from './panel.module.css'

const t = defineTexts({ en: { pick: 'Pick {label}' }, de: { pick: '{label} auswählen' } })

const color = /^#[0-9a-f]{6}$/i

/** A colour, picked or written. */
function ColorInput({ path, attribute, frame, placeholder = '#rrggbb' }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<string>(path)
  const text = typeof value === 'string' ? value : ''
  return (
    <FieldFrame {...frame} problem={problem}>
      {(ids) => (
        <div className={classes.row}>
          <input
            type="color"
            aria-label={t('pick', { label: frame.label })}
            className={classes.swatch}
            value={color.test(text) ? text : '#000000'}
            disabled={disabled}
            onChange={(event) => set(event.target.value)}
          />
          <input
            {...ids}
            className={classes.text}
            value={text}
            placeholder={placeholder}
            disabled={disabled}
            onChange={({ target }) => set(target.value === '' && !attribute.required ? null : target.value)}
          />
        </div>
      )}
    </FieldFrame>
  )
}

/** In lists: a swatch beside the value, since colours alone tell nothing to whoever does not see them. */
function ColorCell({ value }: { readonly value: unknown }) {
  const text = String(value ?? '')
  if (!color.test(text)) return text
  return (
    <span className={classes.cell}>
      <span className={classes.dot} style={{ background: text }} />
      {text}
    </span>
  )
}

export default definePanelModule({ fields: { color: { input: ColorInput, cell: ColorCell } } })
