import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon } from "../Icon.tsx";
import type { Create } from "./declaration.ts";

export const CreateButton = ({ to, label }: Create) => (
  <Button component={Link} to={to} leftSection={<Icon name="plus" />}>
    {label}
  </Button>
);
