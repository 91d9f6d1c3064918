import fc from "fast-check";

/*
 * Set-up of the property tests. `npm test` says the same of the same commit whenever it runs, so
 * its cases come from one seed; the long form takes new cases each time. PALIMPSEST_SEED overrides
 * both. fast-check prints the seed with a failure.
 */

const FIXED = 20_260_101;
const { PALIMPSEST_SEED: given, PALIMPSEST_LONG: long } = process.env;
const usual = long === undefined ? FIXED : Date.now() % 2 ** 31;

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: given === undefined ? usual : Number(given),
});
