/** What a stop has to know of the requests, and their answers of the stop. */
export class InFlight {
  /** The service is about to stop: every answer closes its connection, so that its client finds another process. */
  isDraining = false
  private count = 0
  private waiting: (() => void)[] = []

  /** A request that is not answered yet. */
  begin() {
    this.count++
  }

  end() {
    this.count--
    if (this.count > 0) return
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  /** True when none is left, false when the time was up before. */
  async isIdleWithin(timeoutMs: number): Promise<boolean> {
    if (this.count === 0) return true
    let timer: NodeJS.Timeout | undefined
    const idle = new Promise<boolean>((resolve) => this.waiting.push(() => resolve(true)))
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs)
    })
    return Promise.race([idle, timeout]).finally(() => clearTimeout(timer))
  }
}
