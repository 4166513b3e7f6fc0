import { Component, type ReactNode, Suspense } from 'react'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import classes from './plugin-part.module.css'
import { reportPluginError } from './report-error.ts'
import { messageOf } from './thrown.ts'

export interface PluginPartProps {
  readonly plugin: string
  /** The location in error reports for operators: `widget seo:worst`. */
  readonly where: string
  /** `cell` for parts in rows: a failure is shown as a single word. */
  readonly size?: 'box' | 'cell'
  readonly children: ReactNode
}

interface PartState {
  /** Wrapped in an object, since any value can be thrown, even undefined. */
  readonly failure?: { readonly error: unknown } | undefined
}

/** An error boundary around a plugin's component: an error shows a box with the plugin's name, and the rest of the page stays. */
export class PluginPart extends Component<PluginPartProps, PartState> {
  override state: PartState = {}

  static getDerivedStateFromError(error: unknown): PartState {
    return { failure: { error } }
  }

  override componentDidCatch(error: unknown) {
    reportPluginError(this.props.plugin, this.props.where, error)
  }

  override render() {
    const { failure } = this.state
    if (failure !== undefined) {
      const problem = messageOf(failure.error)
      if (this.props.size === 'cell') return <span title={problem}>{t('plugins.failedShort')}</span>
      return (
        <FailedPart
          plugin={this.props.plugin}
          problem={problem}
          onRetry={() => this.setState({ failure: undefined })}
        />
      )
    }
    return <Suspense fallback={<Skeleton />}>{this.props.children}</Suspense>
  }
}

interface FailedPartProps {
  readonly plugin: string
  readonly problem: string
  readonly onRetry: () => void
}

/** Shown in place of a failed plugin part. */
export function FailedPart({ plugin, problem, onRetry }: FailedPartProps) {
  return (
    <div className={classes.failed} role="alert">
      <Icon name="plug" />
      <div className={classes.words}>
        <p className={classes.title}>{t('plugins.failed', { plugin })}</p>
        <p className={classes.problem}>{problem}</p>
      </div>
      <Button size="s" onPress={onRetry}>
        {t('shell.tryAgain')}
      </Button>
    </div>
  )
}
