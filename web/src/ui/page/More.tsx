import { Button } from "@mantine/core";
import type { ReactNode } from "react";

type Props = {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  children: ReactNode;
};

/** Loads the next page if there is one. */
export const More = ({ of, children }: Props) =>
  of.hasNextPage && (
    <Button
      variant="default"
      size="xs"
      loading={of.isFetchingNextPage}
      onClick={() => of.fetchNextPage()}
    >
      {children}
    </Button>
  );
