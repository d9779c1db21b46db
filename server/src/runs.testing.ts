/** How often a law is tried: as often as said, or as often as the long form wants (`npm run laws`). */
export const runsOf = (usual: number) => Number(process.env["LAW_RUNS"] ?? usual);
