import fc from 'fast-check'
import { SEED } from './chance.mjs'

fc.configureGlobal({ seed: SEED })
