// @ts-check
import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/*
 * Preloaded into a service. A client that connects to the socket receives the delay of the event loop in milliseconds since the
 * previous request.
 */
const path = process.env.BENCH_LOOP_SOCKET
if (path !== undefined) {
  const resolutionMs = 1
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const toMs = (/** @type {number} */ nanoseconds) => nanoseconds / 1e6 - resolutionMs
  const server = createServer((socket) => {
    socket.end(
      JSON.stringify({
        p50Ms: toMs(histogram.percentile(50)),
        p99Ms: toMs(histogram.percentile(99)),
        maxMs: toMs(histogram.max),
      }),
    )
    histogram.reset()
  })
  server.listen(path)
  server.unref()
}
