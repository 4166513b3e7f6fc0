export { type LogLine, recordingLog } from '../../testing/recording-log.ts'
